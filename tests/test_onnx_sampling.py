"""ONNX's operators that read between elements, transforms, boxes: onnxruntime, ReferenceEvaluator, and ours.

Movements and integers are equal. Floats are sums of a few products in another order: 2e-6 of the largest,
and ten times that where weights are polynomials of a coordinate that is itself rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import interp
from tests.library.onnx.onnx_cases import judged, node_cases
from tests.library.onnx.onnx_single_nodes import REFERENCE, RUNTIME, Single
from tests.library.onnx.onnx_single_nodes import check_single as check

POLYNOMIAL = 2e-5
F32 = np.float32


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def normal(rng: np.random.Generator, *shape: int, type: Any = F32) -> np.ndarray:
    return rng.standard_normal(shape).astype(type)


FAMILIES = (
    "affinegrid causal_conv_with_state deformconv dft flexattention gridsample nonmaxsuppression resize"
)


@pytest.mark.slow("runs 130 models")
def test_node_tests_of_these_operators() -> None:
    count, failed = judged(node_cases([*FAMILIES.split(), "roialign", "stft", "tfidfvectorizer", "upsample"]))
    assert failed == {}
    assert count["equal"] >= 130


# Resize

WAYS = ("half_pixel", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric", "align_corners")
BOTH = (RUNTIME, REFERENCE)
SIZES = ((4, 5, 7, 3), (6, 3, 2, 8), (5, 4, 3, 9))  # before and after, two of each


def resizing(
    rng: np.random.Generator, sizes: tuple[int, ...], against: Sequence[str] = BOTH, **attributes: Any
) -> Single:
    inputs = [normal(rng, 1, 2, *sizes[:2]), None, None, np.int64([1, 2, *sizes[2:]])]
    return Single("Resize", 19, inputs, attributes, (3,), 1, against, POLYNOMIAL)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_resize(rng: np.random.Generator, mode: str, way: str) -> None:
    """In linear mode, onnxruntime excludes what is outside with antialias only."""
    attributes: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": way}
    for sizes in SIZES:
        check(resizing(rng, sizes, **attributes))
    attributes["exclude_outside"] = 1
    check(resizing(rng, SIZES[0], BOTH if mode == "cubic" else (REFERENCE,), **attributes))
    check(resizing(rng, SIZES[1], antialias=1, **attributes))


@pytest.mark.parametrize("way", [way for way in WAYS if way != "half_pixel_symmetric"])
def test_bilinear_resize_has_onnxruntimes_bits(rng: np.random.Generator, way: str) -> None:
    """Coordinates, weights and the sum of four products are rounded to f32 in its order."""
    for sizes in (*SIZES, (16, 16, 32, 32), (9, 2, 1, 5)):
        single = resizing(rng, sizes, (RUNTIME,), mode="linear", coordinate_transformation_mode=way)
        check(single._replace(tolerance=0.0))


@pytest.mark.parametrize("near", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_resize_to_the_nearest(rng: np.random.Generator, near: str) -> None:
    """onnxruntime rounds coordinates to f32: of the symmetric mode, some are then below an integer."""
    for way, sizes in product(WAYS, SIZES):
        against = (REFERENCE,) if way == "half_pixel_symmetric" else BOTH
        check(resizing(rng, sizes, against, coordinate_transformation_mode=way, nearest_mode=near))


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_resize_of_a_region(rng: np.random.Generator, mode: str) -> None:
    """Of axes that keep their size, onnxruntime does not read the region."""
    region = F32([0, 0, 0.1, -0.2, 1, 1, 0.7, 1.3])
    attributes = {
        "mode": mode,
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "extrapolation_value": 7.0,
    }
    inputs = [normal(rng, 1, 2, 4, 5), region, None, np.int64([1, 2, 6, 3])]
    against = (REFERENCE,) if mode == "cubic" else (RUNTIME, REFERENCE)
    check(Single("Resize", 19, inputs, attributes, (1, 3), 1, against, POLYNOMIAL))
    inputs[3] = np.int64([1, 2, 4, 5])
    check(Single("Resize", 19, inputs, attributes, (1, 3), 1, (REFERENCE,), POLYNOMIAL))


def test_resize_by_scales_and_axes(rng: np.random.Generator) -> None:
    x = normal(rng, 1, 2, 3, 5)
    for scales in ([0.6, 1.5], [2, 0.3], [1, 3.3]):
        check(Single("Resize", 19, [x, None, F32([1, 1, *scales])], {"mode": "linear"}, (2,)))
        attributes = {"mode": "cubic", "axes": [3, 2]}
        check(Single("Resize", 19, [x, None, F32(scales)], attributes, (2,), 1, (REFERENCE,), POLYNOMIAL))
    for policy in ("not_larger", "not_smaller"):
        attributes = {"mode": "linear", "axes": [2, 3], "keep_aspect_ratio_policy": policy}
        check(Single("Resize", 19, [x, None, None, np.int64([7, 8])], attributes, (3,)))


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_upsample(rng: np.random.Generator, mode: str) -> None:
    x, scales = normal(rng, 1, 2, 3, 4), [1.0, 1.0, 2.0, 1.5]
    check(Single("Upsample", 9, [x, F32(scales)], {"mode": mode}, (1,), 1, (RUNTIME,)))
    check(Single("Upsample", 8, [x], {"mode": mode, "scales": scales}, (), 1, (RUNTIME,)))


def test_resize_of_integers_rounds_and_saturates(rng: np.random.Generator) -> None:
    """As the reference does; onnxruntime cuts off the digits."""
    x = rng.integers(0, 256, (1, 1, 5, 6)).astype(np.uint8)
    for mode in ("linear", "cubic"):
        check(Single("Resize", 19, [x, None, F32([1, 1, 1.7, 0.6])], {"mode": mode}, (2,), 1, (REFERENCE,)))


# Samples at given places

PADDINGS = ("zeros", "border", "reflection")


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_grid_sample(rng: np.random.Generator, mode: str, padding: str) -> None:
    """The reference clamps a place before it chooses the four around it, runtimes clamp each of these."""
    x, grid = normal(rng, 2, 2, 4, 5), rng.uniform(-1.6, 1.6, (2, 3, 4, 2)).astype(F32)
    volume, places = normal(rng, 1, 2, 3, 4, 3), rng.uniform(-1.6, 1.6, (1, 2, 2, 2, 3)).astype(F32)
    against = (RUNTIME,) if (mode, padding) == ("cubic", "border") else (RUNTIME, REFERENCE)
    for aligned in (0, 1):
        attributes = {"mode": mode, "padding_mode": padding, "align_corners": aligned}
        check(Single("GridSample", 20, [x, grid], attributes, (), 1, against, POLYNOMIAL))
        if mode != "cubic":
            check(Single("GridSample", 20, [volume, places], attributes, (), 1, against, POLYNOMIAL))
        elif padding != "border":  # onnxruntime has no cubic mode of volumes
            check(Single("GridSample", 20, [volume, places], attributes, (), 1, (REFERENCE,), POLYNOMIAL))


def test_grid_sample_of_other_ranks_and_types(rng: np.random.Generator) -> None:
    grid = rng.uniform(-1.6, 1.6, (2, 3, 4, 2)).astype(F32)
    line, along = normal(rng, 2, 2, 7), rng.uniform(-1.2, 1.2, (2, 5, 1)).astype(F32)
    far = rng.uniform(-9, 9, (2, 3, 4, 2)).astype(F32)
    x = normal(rng, 2, 2, 4, 5)
    check(Single("GridSample", 20, [line, along], {}, (), 1, (REFERENCE,), POLYNOMIAL))
    check(Single("GridSample", 16, [x, grid], {"mode": "bilinear"}, (), 1, (RUNTIME,), POLYNOMIAL))
    check(Single("GridSample", 20, [x, far], {"padding_mode": "reflection"}, (), 1, tolerance=1e-4))
    check(Single("GridSample", 20, [x.astype(np.float64), grid], {}, (), 1, (REFERENCE,), POLYNOMIAL))
    halves = [x.astype(np.float16), grid.astype(np.float16)]
    check(Single("GridSample", 20, halves, {}, (), 1, (REFERENCE,), tolerance=5e-3))
    whole = rng.integers(-99, 99, (2, 2, 4, 5)).astype(np.int8)
    check(Single("GridSample", 20, [whole, grid], {"mode": "nearest"}, (), 1, (REFERENCE,)))


def test_grid_sample_of_integers_is_cut_off_at_the_end() -> None:
    """The reference cuts off its weights, too."""
    x, grid = np.int32([[[0, 7]]]), F32([[[-0.4], [0.4], [1.0]]])
    model = Single("GridSample", 20, [x, grid], {"align_corners": 1}).model()
    assert np.asarray(interp.run(interp.load(model), x, grid)[0]).tolist() == [[[2, 4, 7]]]


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", [0, 2])
def test_roi_align(rng: np.random.Generator, mode: str, ratio: int) -> None:
    """Before version 16 nothing is moved by half a pixel, but by the reference."""
    corners = np.sort(rng.uniform(-1, 18, (4, 2, 2)), 1).reshape(4, 4).astype(F32)
    inputs = [normal(rng, 2, 3, 8, 9), corners, np.int64([0, 1, 1, 0])]
    attributes: dict[str, Any] = {"mode": mode, "sampling_ratio": ratio, "spatial_scale": 0.5}
    attributes |= {"output_height": 2, "output_width": 3}
    known = (1,) if ratio == 0 else ()
    check(Single("RoiAlign", 10, inputs, attributes, known, 1, (RUNTIME,), POLYNOMIAL))
    for way in ("half_pixel", "output_half_pixel"):
        whole = attributes | {"coordinate_transformation_mode": way}
        check(Single("RoiAlign", 16, inputs, whole, known, tolerance=POLYNOMIAL))


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"pads": [1, 1, 1, 1]},
        {"strides": [2, 1], "dilations": [1, 2], "pads": [1, 2, 1, 2]},
        {"group": 2, "offset_group": 2},
    ],
    ids=["plain", "padded", "strided", "grouped"],
)
def test_deform_conv(rng: np.random.Generator, attributes: dict[str, Any]) -> None:
    parts = attributes.get("offset_group", 1)
    stride, dilation = attributes.get("strides", [1, 1]), attributes.get("dilations", [1, 1])
    pads = attributes.get("pads", [0] * 4)
    height = (5 + pads[0] + pads[2] - (2 * dilation[0] + 1)) // stride[0] + 1
    width = (6 + pads[1] + pads[3] - (dilation[1] + 1)) // stride[1] + 1
    x, w = normal(rng, 1, 4, 5, 6), normal(rng, 2, 4 // attributes.get("group", 1), 3, 2)
    offset, mask = normal(rng, 1, parts * 12, height, width), normal(rng, 1, parts * 6, height, width)
    check(Single("DeformConv", 19, [x, w, offset], attributes, tolerance=POLYNOMIAL))
    check(Single("DeformConv", 22, [x, w, offset, normal(rng, 2), mask], attributes, tolerance=POLYNOMIAL))


@pytest.mark.parametrize("aligned", [0, 1])
@pytest.mark.parametrize("size", [[2, 3, 4, 5], [2, 1, 3, 2, 4]], ids=["image", "volume"])
def test_affine_grid(rng: np.random.Generator, size: list[int], aligned: int) -> None:
    theta = normal(rng, 2, len(size) - 2, len(size) - 1)
    check(Single("AffineGrid", 20, [theta, np.int64(size)], {"align_corners": aligned}, (1,)))


# Transforms


@pytest.mark.parametrize(
    ("inverse", "onesided", "parts"), [(0, 0, 1), (0, 0, 2), (0, 1, 1), (1, 0, 2), (1, 1, 2)]
)
def test_dft(rng: np.random.Generator, inverse: int, onesided: int, parts: int) -> None:
    """onnxruntime gives other numbers for an inverse of onesided numbers with a length of its own."""
    attributes = {"inverse": inverse, "onesided": onesided}
    for axis, length, type in ((0, None, F32), (1, 7, F32), (2, 4, np.float64), (1, None, np.float64)):
        x = normal(rng, 2, 5, 6, parts, type=type)
        given = None if length is None else np.int64(length)
        against = (REFERENCE,) if inverse and onesided and length else (RUNTIME, REFERENCE)
        check(Single("DFT", 17, [x, given], attributes | {"axis": axis}, (1,), 1, against))
        check(Single("DFT", 20, [x, given, np.int64(axis - 4)], attributes, (1, 2), 1, against))


@pytest.mark.parametrize("onesided", [0, 1])
def test_stft(rng: np.random.Generator, onesided: int) -> None:
    x, step = normal(rng, 2, 20, 1), np.int64(3)
    for window, length in ((normal(rng, 8), np.int64(8)), (None, np.int64(7)), (normal(rng, 5), None)):
        check(Single("STFT", 17, [x, step, window, length], {"onesided": onesided}, (1, 3)))
    if not onesided:
        check(Single("STFT", 17, [normal(rng, 2, 20, 2), step, normal(rng, 5)], {"onesided": 0}, (1,)))


def test_a_onesided_transform_of_complex_numbers_is_refused(rng: np.random.Generator) -> None:
    model = Single(
        "STFT", 17, [normal(rng, 2, 20, 2), np.int64(3), normal(rng, 5)], {"onesided": 1}, (1,)
    ).model()
    with pytest.raises(interp.Malformed, match="a onesided transform is of real numbers"):
        interp.load(model)


# Boxes and n-grams


@pytest.mark.parametrize("is_centered", [0, 1])
@pytest.mark.parametrize("threshold", [None, 0.2])
def test_non_max_suppression(rng: np.random.Generator, is_centered: int, threshold: float | None) -> None:
    """Scores repeat: of equal ones, the first box is chosen."""
    boxes = rng.uniform(0, 1, (2, 12, 4)).astype(F32)
    boxes[..., 2:] *= 0.5 if is_centered else 1
    scores = rng.choice(F32([0.1, 0.2, 0.3, 0.5, 0.7]), (2, 3, 12))
    least = [] if threshold is None else [F32([threshold])]
    for limit, overlap in ((4, 0.1), (12, 0.3), (0, 0.5), (5, 0.0)):
        inputs = [boxes, scores, np.int64([limit]), F32([overlap]), *least]
        known = range(len(inputs))
        check(Single("NonMaxSuppression", 11, inputs, {"center_point_box": is_centered}, known))


POOL = {
    "ngram_counts": [0, 3, 9],
    "ngram_indexes": [3, 0, 1, 2, 4, 6, 5, 7],
    "pool_int64s": [0, 2, 3, 1, 2, 3, 1, 2, 0, 1, 1, 2, 3, 0, 1],
}


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
def test_tf_idf_vectorizer(rng: np.random.Generator, mode: str) -> None:
    """Weights are those of the n-grams, as in the text and onnxruntime; the reference takes them by place."""
    weights = {"weights": [float(k) for k in range(1, 9)]}
    for skips, (least, most) in product((0, 3), ((1, 1), (2, 3), (1, 3))):
        sizes = {"min_gram_length": least, "max_gram_length": most, "max_skip_count": skips}
        for x in (rng.integers(0, 4, (3, 9)), rng.integers(0, 4, 7).astype(np.int32)):
            attributes = POOL | sizes | weights | {"mode": mode}
            against = (RUNTIME, REFERENCE) if mode == "TF" else (RUNTIME,)
            check(Single("TfIdfVectorizer", 9, [x], attributes, (), 1, against))


# Transposed convolutions


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"output_padding": [1, 0]},
        {"pads": [0, 1, 1, 0], "dilations": [2, 1], "output_padding": [1, 1]},
        {"auto_pad": "SAME_UPPER"},
        {"auto_pad": "SAME_LOWER"},
        {"auto_pad": "VALID"},
        {"output_shape": [9, 12]},
        {"auto_pad": "SAME_LOWER", "output_shape": [8, 12]},
    ],
    ids=lambda attributes: ",".join(attributes) or "plain",
)
def test_conv_transpose(rng: np.random.Generator, attributes: dict[str, Any], groups: int) -> None:
    """The reference does not take groups."""
    inputs = [normal(rng, 2, 4, 4, 6), normal(rng, 4, 3, 3, 2), normal(rng, 3 * groups)]
    whole = attributes | {"strides": [2, 2], "group": groups}
    check(Single("ConvTranspose", 11, inputs, whole, (), 1, (RUNTIME,)))


def test_conv_transpose_of_other_ranks(rng: np.random.Generator) -> None:
    check(Single("ConvTranspose", 11, [normal(rng, 2, 4, 5), normal(rng, 4, 3, 3)], {"strides": [3]}))
    check(Single("ConvTranspose", 22, [normal(rng, 1, 2, 3, 4, 2), normal(rng, 2, 1, 2, 3, 2)], {}))
    halves = [normal(rng, *shape, type=np.float16) for shape in ((1, 4, 5, 5), (4, 3, 3, 3))]
    check(Single("ConvTranspose", 11, halves, {}, (), 1, (RUNTIME,), tolerance=1e-3))


@pytest.mark.parametrize("how", ["SAME_UPPER", "SAME_LOWER"])
def test_auto_pad_adds_nothing_to_a_transposed_convolution(rng: np.random.Generator, how: str) -> None:
    """The text gives 9 elements, inference and onnxruntime the 7 that strides and kernel reach."""
    inputs = [normal(rng, 1, 1, 3), normal(rng, 1, 1, 1)]
    check(Single("ConvTranspose", 11, inputs, {"strides": [3], "auto_pad": how}, (), 1, (RUNTIME,)))


# Functions with absent inputs


@pytest.mark.parametrize("opset", [23, 24, 25, 28])
def test_attention_with_absent_inputs(rng: np.random.Generator, opset: int) -> None:
    """The fourth output is the raw product, as in the text and onnxruntime; the reference caps it."""
    q, k, v = normal(rng, 2, 4, 3, 8), normal(rng, 2, 2, 5, 8), normal(rng, 2, 2, 5, 6)
    past = [normal(rng, 2, 2, 4, 8), normal(rng, 2, 2, 4, 6)]
    causal = {"is_causal": 1, "softcap": 2.0}
    check(Single("Attention", opset, [q, k, v, None, *past], causal, (), 4, (RUNTIME,)))
    check(Single("Attention", opset, [q, k, v, normal(rng, 3, 9), *past], causal, (), 3))
    if opset >= 24:
        lengths = np.int64([3, 5])
        check(Single("Attention", opset, [q, k, v, None, None, None, lengths], {"is_causal": 1}))


def test_a_causal_convolution_with_absent_inputs(rng: np.random.Generator) -> None:
    inputs = [normal(rng, 2, 3, 7), normal(rng, 3, 1, 4), None, normal(rng, 2, 3, 3)]
    for opset in (27, 28):
        check(Single("CausalConvWithState", opset, inputs, {"activation": "silu"}, (), 2, (REFERENCE,)))
