"""The tutorial's five lines, from a file to layer, channels, samples and type, against sums made by NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from spec.types import QuantizedType

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "exports"
BITS = 18
PROGRAMS = [
    pytest.param(ROOT / "testdata/exports/torch_digits_int8.mlirbc", "arg0", id="torch"),
    pytest.param(ROOT / "testdata/exports/qwix_digits_int8.export", "arg0", id="qwix"),
    pytest.param(SHARED / "digits_a.mlirbc", "inputs", id="digits_a", marks=pytest.mark.slow("360 images")),
    pytest.param(SHARED / "qwix_a.export", "inputs", id="qwix_a", marks=pytest.mark.slow("360 images")),
]


def stored(x: np.ndarray, type: QuantizedType, axis: int = 0) -> np.ndarray:
    """Return the integers `q - zero_point` of real numbers; the scales lie along an axis."""
    scales = np.array(type.scales, np.float32)
    shape = [len(scales) if d == axis and len(scales) > 1 else 1 for d in range(x.ndim)]
    whole = np.rint((x / scales.reshape(shape)).astype(np.float32) + np.float32(type.zero_points[0]))
    return np.clip(whole, type.storage_min, type.storage_max).astype(int) - type.zero_points[0]


def sums(images: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the sums of a convolution of [n, h, w] with [3, 3, channels], padded by one, channels last."""
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    h, w = images.shape[1:]
    shifted = [padded[:, i : i + h, j : j + w, None] * weights[i, j] for i in range(3) for j in range(3)]
    return np.sum(shifted, axis=0)


@pytest.mark.parametrize(("file", "key"), PROGRAMS)
def test_from_a_file_to_the_accumulator(file: Path, key: str) -> None:
    if not file.exists():
        pytest.skip(f"there is no {file.name} in ../shared/exports")
    images = np.load(file.with_suffix(".npz"))[key]
    t = interp.trace(interp.raise_qdq(file).module, images, reading="integer", accumulator=f"i{BITS}")
    layer = t.groups[0].worst.name
    channel_axis = 3 if images.shape[-1] == 1 else 1
    wrong = np.moveaxis(t.verdict(layer).wrong, channel_axis, 3)
    # The first layer, computed again from its quantized images and weights.
    op = t.reductions[layer].written
    types = [value.type.element_type for value in op.operands]
    assert all(isinstance(type, QuantizedType) for type in types)
    weights = t.reductions[layer].operands[1].astype(int)  # their zero points are 0
    weights = weights.reshape(3, 3, -1) if channel_axis == 3 else np.moveaxis(weights[:, 0], 0, 2)
    exact = sums(stored(images.reshape(len(images), 8, 8), types[0]), weights)
    beyond = (exact < -(1 << BITS - 1)) | (exact >= 1 << BITS - 1)
    assert beyond.any()
    assert np.array_equal(wrong, beyond)
    bound = t.bounds(layer).by_constants
    assert bound is not None
    assert (bound.least <= exact.min(), bound.greatest >= exact.max()) == (True, True)
    most = 255 * np.maximum(weights, 0).sum((0, 1)).max()  # pixels are at least 0, and 255 at most
    least = 255 * np.minimum(weights, 0).sum((0, 1)).min()
    assert (bound.least, bound.greatest) == (least, most)
    assert bound.bits == BITS + 1
