"""Conversion to OCP MX and NVFP4: rules and forms, where they part, and beside the libraries they are of."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.quantization.mx import ELEMENTS, FORMS, RULES, global_scale_of, to_mx, to_nvfp4
from spec.errors import Malformed
from spec.formats import largest
from spec.types import ELEMENT_TYPES

E4M3, F4 = "f8E4M3FN", "f4E2M1FN"
ORDER = ("floor", "ceil", "even", "rceil", "nearest")
# By element and largest number: the exponent of the scale, by each rule in this order, and the element.
TABLE = [
    (E4M3, 448, (0, 1, 0, 0, 1), (448, 224, 448, 448, 224)),
    (E4M3, 449, (0, 1, 0, 1, 1), (448, 224, 448, 224, 224)),
    (E4M3, 511, (0, 1, 1, 1, 1), (448, 256, 256, 256, 256)),
    (E4M3, 1.9, (-8, -7, -8, -7, -7), (448, 240, 448, 240, 240)),
    (E4M3, 256, (0, 0, 0, 0, 0), (256,) * 5),
    (F4, 7, (0, 1, 1, 1, 1), (6, 4, 4, 4, 4)),  # 3.5 is a tie, to even
    (E4M3, 1e-39, (-127,) * 5, (0.171875,) * 5),
    (E4M3, 0, (-127,) * 5, (0,) * 5),
]


@pytest.mark.parametrize(("element", "number", "exponents", "elements"), TABLE)
def test_the_rules_part_as_their_sources_say(
    element: str, number: float, exponents: tuple[int, ...], elements: tuple[float, ...]
) -> None:
    x = np.array([[number, 0]], np.float32)
    found = [to_mx(x, element, 2, rule) for rule in ORDER]
    assert [math.log2(float(y.scales[0, 0])) for y in found] == list(exponents)
    assert [float(y.elements[0, 0]) for y in found] == list(elements)


@pytest.mark.parametrize(
    ("number", "scales"), [(np.nan, [np.nan] * 5), (np.inf, [2.0**120] * 3 + [2.0**127, np.nan])]
)
def test_what_is_not_finite(number: float, scales: list[float]) -> None:
    found = [to_mx(np.array([number, 1], np.float32), block=2, rule=rule).scales[0] for rule in ORDER]
    assert np.array_equal(np.asarray(found, np.float64), scales, equal_nan=True)


@pytest.mark.parametrize("element", ELEMENTS)
def test_rceil_never_saturates_and_floor_is_at_most_one_below(element: str) -> None:
    x = np.random.default_rng(1).standard_normal((50, 8)).astype(np.float32) * 100
    most = largest(ELEMENT_TYPES[element])
    up, down = (to_mx(x, element, 8, rule) for rule in ("rceil", "floor"))
    ratio = np.abs(x).max(axis=-1) / up.scales[:, 0].astype(np.float64)
    assert (ratio <= most).all()
    assert (ratio > most / 2).all()
    assert set((up.scales.astype(np.float64) / down.scales.astype(np.float64)).ravel()) <= {1.0, 2.0}


def test_other_arrays_are_refused() -> None:
    assert set(RULES) == set(ORDER)
    for x in (np.zeros(3, np.float32), np.zeros(32, np.float64)):
        with pytest.raises(Malformed, match="in blocks of 32"):
            to_mx(x)


# NVFP4. By form, in this order: the scale of a block, and its first two elements; other numbers are zeros.
NAN, INF = math.nan, math.inf
LIBRARIES = ("jax", "torchao", "qwix")
PARTS = [
    ((NAN, 1), (NAN, (-0.0, -0.0)), (NAN, (2.0, 2.0)), (NAN, (-0.0, -0.0))),
    ((INF, 1), (448, (6, 0)), (448, (6, 0)), (448, (6, 0))),  # the infinity is lost
    ((-INF, -1), (448, (-6, -0.0)), (448, (-6, -0.0)), (448, (-6, -0.0))),
    ((0.0, -0.0), (0, (-0.0, -0.0)), (2**-6, (0.0, -0.0)), (1, (0.0, -0.0))),  # JAX divides 0 by 0
    ((1e-4, 0.0), (0, (6, -0.0)), (2**-6, (0, 0)), (0, (6, -0.0))),  # 1e-4 / 6 is below half of 2^-9
    ((1e-39, 0.0), (0, (6, -0.0)), (2**-6, (0, 0)), (1, (0, 0))),  # Qwix: below the root of the least number
    ((0.01, 0.005), (2**-9, (6, 3)), (2**-6, (0.5, 0.5)), (2**-9, (6, 3))),
    ((6 * 2.0**-10, 0.0), (0, (6, -0.0)), (2**-6, (0.5, 0)), (0, (6, -0.0))),  # 2^-10 is a tie, to 0
    ((2688, 448), (448, (6, 1)), (448, (6, 1)), (448, (6, 1))),  # the largest that fits
    ((3000, 1), (448, (6, 0)), (448, (6, 0)), (448, (6, 0))),
]


def block_of(first: float, second: float) -> np.ndarray:
    return np.array([[first, second, *[0.0] * 14]], np.float32)


@pytest.mark.parametrize("form", range(3), ids=LIBRARIES)
@pytest.mark.parametrize("row", PARTS, ids=lambda row: f"{row[0][0]:g}")
def test_the_forms_of_nvfp4_part(row: Any, form: int) -> None:
    """What libraries gave for these blocks, and what their formulas give by hand."""
    numbers, (scale, elements) = row[0], row[1 + form]
    y = to_nvfp4(block_of(*numbers), form=LIBRARIES[form])
    assert np.array_equal(y.scales.astype(float), [[scale]], equal_nan=True)
    found = y.elements[0, :2].astype(np.float64)
    assert (found.tolist(), np.signbit(found).tolist()) == (list(elements), np.signbit(elements).tolist())


def random_blocks() -> np.ndarray:
    """Rows of normal numbers on many scales, so that block scales round, saturate and vanish."""
    rng = np.random.default_rng(3)
    rows = np.exp(rng.standard_normal((300, 1)) * 4)
    return (rng.standard_normal((300, 64)) * rows).astype(np.float32)


BITS = [block_of(*row[0]) for row in PARTS if row[0][0] != 1e-39]  # which XLA on a CPU flushes


@pytest.mark.parametrize("g", [None, 0.3, 1e-3])
def test_the_form_of_jax_has_its_bits(g: float | None) -> None:
    """What `jax.nn.scaled_dot_general` does first, by its own function, which runs on a CPU."""
    import jax

    its = pytest.importorskip("jax._src.cudnn.scaled_matmul_stablehlo", reason="JAX moved its private module")
    one = None if g is None else np.array([g], np.float32)
    config = jax.nn.get_scaled_dot_general_config("nvfp4", one)
    for x in (random_blocks(), *BITS):
        elements, scales = (np.asarray(y)[0] for y in its.quantize(jax.numpy.asarray(x)[None], config))
        y = to_nvfp4(x, g)
        assert np.array_equal(elements.view(np.uint8), y.elements.view(np.uint8))
        assert np.array_equal(scales.view(np.uint8), y.scales.view(np.uint8))


@pytest.mark.parametrize("g", [None, 0.3])
def test_the_form_of_torchao_has_its_bits(g: float | None) -> None:
    torch = pytest.importorskip("torch", reason="torchao needs torch")
    its = pytest.importorskip("torchao.prototype.mx_formats.nvfp4_tensor", reason="torchao is not installed")
    for x in (random_blocks(), *BITS):
        outer = None if g is None else torch.tensor(g, dtype=torch.float32)
        scales, packed = its.nvfp4_quantize(torch.tensor(x), 16, outer)
        bytes_ = packed.numpy().reshape(len(x), -1)
        elements = np.stack([bytes_ & 15, bytes_ >> 4], axis=-1).reshape(x.shape)
        y = to_nvfp4(x, g, "torchao")
        assert np.array_equal(elements, y.elements.view(np.uint8))
        assert np.array_equal(scales.view(torch.uint8).numpy().ravel(), y.scales.view(np.uint8).ravel())


def test_the_form_of_qwix_has_its_bits() -> None:
    its = pytest.importorskip("qwix._src.core.qarray", reason="Qwix is not installed")
    how = its.HowToQuantize(qtype="nvfp4", channelwise_axes=[0], tiled_axes={1: 16})
    for x in (random_blocks(), *BITS):
        found, y = its.quantize(x, how), to_nvfp4(x, form="qwix")
        assert np.array_equal(np.asarray(found.qvalue).view(np.uint8), y.elements.view(np.uint8))
        scales = np.asarray(found.scale, np.float32)
        assert np.array_equal(scales, y.scales.astype(np.float32), equal_nan=True)


FOLDER = Path(__file__).parent.parent / "testdata/blocks"


@pytest.mark.parametrize(("mode", "size", "times"), [("nvfp4", 16, 0.25), ("mxfp8", 32, 1.0)])
def test_the_exported_product_quantizes_so(mode: str, size: int, times: float) -> None:
    """`jax.nn.scaled_dot_general`: scaled elements, their sum in order, times 0.5 * 0.5 for all."""
    args = [np.random.default_rng(k).standard_normal((1, n, 2 * size)) for k, n in enumerate((2, 3))]
    sides = []
    for x in args:
        numbers = x[0].astype(np.float32)
        y = to_nvfp4(numbers, 0.5) if mode == "nvfp4" else to_mx(numbers, rule="rceil")
        sides.append(y.elements.astype(np.float32) * np.repeat(y.scales.astype(np.float32), size, axis=-1))
    total = np.zeros((2, 3), np.float32)
    for k in range(2 * size):
        total = total + np.outer(sides[0][:, k], sides[1][:, k])
    path = FOLDER / f"scaled_dot_general_{mode}.export"
    results = interp.run(path, *[x.astype(np.float32) for x in args])
    assert np.array_equal(np.asarray(results[0])[0], total * np.float32(times))


def test_rceil_has_the_bits_of_jax_but_for_nan_and_zeros() -> None:
    """JAX adds 1 to the exponent 255 of a NaN, which wraps to 0, so that the block has the scale 2^-127.

    That scale is subnormal in f32, and XLA on a CPU flushes it: a block of zeros becomes 0 / 0, which is NaN.
    """
    import jax

    its = pytest.importorskip("jax._src.cudnn.scaled_matmul_stablehlo", reason="JAX moved its private module")
    config = jax.nn.get_scaled_dot_general_config("mxfp8")
    x = random_blocks()
    x[0, 0], x[1, :32] = np.inf, 0
    elements, scales = (np.asarray(y)[0] for y in its.quantize(jax.numpy.asarray(x)[None], config))
    y = to_mx(x, rule="rceil")
    assert np.array_equal(scales.view(np.uint8)[1:], y.scales.view(np.uint8)[1:])
    assert np.array_equal(elements.view(np.uint8)[2:], y.elements.view(np.uint8)[2:])
    assert np.isnan(elements[1, :32].astype(np.float32)).all()
    assert not y.elements[1, :32].astype(np.float32).any()
    assert np.isnan(float(scales[0, 0]))  # of an infinity; the PTX instruction gives 2^127
    assert float(y.scales[0, 0]) == 2.0**127
    row = np.ones((1, 64), np.float32)  # the maximum of 4,096 numbers or more loses a NaN on XLA's CPU
    row[0, 0] = np.nan
    scales = np.asarray(its.quantize(jax.numpy.asarray(row)[None], config)[1])[0]
    assert float(scales[0, 0]) == 2.0**-127
    assert np.isnan(float(to_mx(row, rule="rceil").scales[0, 0]))


def test_a_scale_for_all_lets_the_largest_block_have_448() -> None:
    x = random_blocks()
    g = global_scale_of(x)
    y = to_nvfp4(x, g, "torchao")
    assert y.scales.astype(np.float32).max() == 448
    assert y.global_scale == g
    bound = np.repeat(y.scales.astype(np.float64), 16, axis=-1) * y.global_scale
    assert (np.abs(y.dequantize() - x) <= bound * 1.2).all()  # half a step of 2, and a scale 1/16 too small


def test_what_nvfp4_does_not_take() -> None:
    assert (*FORMS,) == LIBRARIES
    with pytest.raises(Malformed, match="Qwix has one level"):
        to_nvfp4(np.zeros(16, np.float32), 0.5, "qwix")
    with pytest.raises(Malformed, match="in blocks of 16"):
        to_nvfp4(np.zeros(8, np.float32))
    assert to_nvfp4(np.zeros((2, 0), np.float32)).scales.shape == (2, 0)
    assert to_nvfp4(np.ones(16, ml_dtypes.bfloat16)).elements.tolist() == [6.0] * 16
