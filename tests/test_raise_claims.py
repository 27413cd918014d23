"""Each claim of `raise_qdq`, "differs by at most k steps", against the float program on the same inputs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.apps.quantization.raise_qdq import Raised, raise_qdq
from tests.library.strategies.qdq_programs import KINDS, drawn, tensor


def measured(raised: Raised, args: list[np.ndarray]) -> float:
    """Return the most steps, of the result's type, by which the program differs from its regions."""
    (wanted,), (got,) = (interp.run(m, *args) for m in (raised.regions, raised.module))
    if np.array_equal(wanted.storage, got.storage, equal_nan=wanted.storage.dtype.kind == "f"):
        return 0
    made = {v.name: op for op in raised.regions.main.body.ops for v in op.results}
    (value,) = raised.regions.main.body.returns
    (spec,) = made[value.name]["output_specs"]
    if not hasattr(spec, "scales"):
        return np.inf  # a float has no steps
    return float(np.rint(np.abs(got.storage - wanted.storage) / np.float32(spec.scale)).max())


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**40), kind=st.sampled_from(KINDS), flow=st.sampled_from(["stablehlo", "codegen"])
)
def test_no_kernel_differs_by_more_than_is_claimed(seed: int, kind: str, flow: str) -> None:
    text, args = drawn(Random(seed), kind)
    raised = raise_qdq(interp.load(text), flow=flow)
    kernels = [rewrite for rewrite in raised.rewrites if rewrite.kernel != "uniform_quantize"]
    steps = [rewrite.steps for rewrite in kernels]
    assert len(steps) <= 1
    assert len(steps) or raised.left
    if None not in steps:
        assert measured(raised, args) <= sum(n for n in steps if n is not None), f"{text}\n{raised}"


A, B = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32, 0.25>"


def simulated(body: str, result: str, shape: tuple[int, ...] = (4, 2), out: tuple[int, ...] = (4,)) -> str:
    """Return a program of a kernel on a quantized argument, whose result is quantized unless it is `f32`."""
    x, y = tensor(shape), tensor(out)
    end = "%y" if result == "f32" else "%e"
    simulated = f"""%p = stablehlo.uniform_quantize %y : ({y}) -> {tensor(out, result)}
      %e = stablehlo.uniform_dequantize %p : ({tensor(out, result)}) -> {y}"""
    return f"""func.func @main(%arg0: {x}) -> {y} {{
      %q = stablehlo.uniform_quantize %arg0 : ({x}) -> {tensor(shape, A)}
      %x = stablehlo.uniform_dequantize %q : ({tensor(shape, A)}) -> {x}
      {body}
      {"" if result == "f32" else simulated}
      return {end} : {y}
    }}"""


MEAN = """%zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
      %n = stablehlo.constant dense<3.0> : tensor<4xf32>
      %y = stablehlo.divide %s, %n : tensor<4xf32>"""  # noqa: E501


def test_a_mean_that_stays_a_float_has_no_claim() -> None:
    """1.5 / 3 is 0.5, but 3 steps of the scale 0.5 / 3 are 0.5 only if no rounding is lost."""
    raised = raise_qdq(interp.load(simulated(MEAN, "f32", (4, 3))))
    (rewrite,) = raised.rewrites
    assert rewrite.steps is None
    assert "its difference has no bound" in str(rewrite)
    x = np.array([[0.5, 0, 0], [1, 1.5, 1], [3, 3.5, -63], [60, 63.5, 60]], np.float32)
    assert measured(raised, [x]) == np.inf
    (rewrite,) = raise_qdq(interp.load(simulated(MEAN, A, (4, 3)))).rewrites
    assert rewrite.steps == 1


def test_what_stays_in_float_is_not_merged() -> None:
    body = """%c = stablehlo.tanh %x : tensor<4xf32>
      %k = stablehlo.constant dense<3.0> : tensor<4xf32>
      %m = stablehlo.maximum %c, %k : tensor<4xf32>
      %y = stablehlo.sort_free %m : tensor<4xf32>""".replace("sort_free", "cosine")
    raised = raise_qdq(interp.load(simulated(body, A, (4,))))
    left = {each.operation for each in raised.left}
    merged = {name for rewrite in raised.rewrites for name in rewrite.merged}
    assert not left & merged
    assert "cosine" in left | merged


@pytest.mark.parametrize(("bits", "steps"), [(8, 1), (16, None)])
def test_a_sum_has_a_claim_only_if_i32_holds_it(bits: int, steps: int | None) -> None:
    """65,538 numbers of i16 reach 2^31 + 2^16; of i8 they stay below 2^24."""
    n = 65538
    element = f"!quant.uniform<i{bits}:f32, 1.0>"
    text = f"""func.func @main(%arg0: tensor<1x{n}xf32>) -> tensor<1xf32> {{
      %q = stablehlo.uniform_quantize %arg0 : (tensor<1x{n}xf32>) -> tensor<1x{n}x{element}>
      %x = stablehlo.uniform_dequantize %q : (tensor<1x{n}x{element}>) -> tensor<1x{n}xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %y = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x{n}xf32>, tensor<f32>) -> tensor<1xf32>
      %p = stablehlo.uniform_quantize %y : (tensor<1xf32>) -> tensor<1x!quant.uniform<i8:f32, 1.0e+07>>
      %e = stablehlo.uniform_dequantize %p : (tensor<1x!quant.uniform<i8:f32, 1.0e+07>>) -> tensor<1xf32>
      return %e : tensor<1xf32>
    }}"""  # noqa: E501
    (rewrite,) = raise_qdq(interp.load(text)).rewrites
    assert rewrite.steps == steps


def test_bf16_has_no_claim_where_storage_is_widened() -> None:
    """bf16 has 8 bits: numbers of i16 change in its quotients, and a sum with i8 is off by steps."""
    body = "%y = stablehlo.add %x, %x : tensor<4xf32>"
    for result, steps in ((B, 0), ("!quant.uniform<i16:f32, 0.25>", None)):
        text = simulated(body, result, (4,)).replace("f32", "bf16")
        (rewrite,) = raise_qdq(interp.load(text)).rewrites
        assert rewrite.steps == steps


def test_per_axis_scales_keep_their_float_reference() -> None:
    """A factor is merged into the scales of each channel: `compare` and `survey` multiply by the ratios."""
    weights = "!quant.uniform<i8:f32:1, {0.1, 0.3}>"
    body = f"""%w = stablehlo.constant dense<[[1.0, 2.0], [0.5, -3.0]]> : tensor<2x2xf32>
      %wq = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x{weights}>
      %wd = stablehlo.uniform_dequantize %wq : (tensor<2x2x{weights}>) -> tensor<2x2xf32>
      %s = stablehlo.dot_general %x, %wd, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
      %k = stablehlo.constant dense<0.3> : tensor<4x2xf32>
      %y = stablehlo.multiply %s, %k : tensor<4x2xf32>"""  # noqa: E501
    raised = raise_qdq(interp.load(simulated(body, B, (4, 2), (4, 2))))
    assert "stablehlo.bitcast_convert" in {op.name for op in raised.module.ops()}
    x = np.array([[1, 2], [-1, 0.5], [3, -4], [0, 0.5]], np.float32)
    found = interp.compare(raised.module, x)
    numbers = np.array([[1.0, 2.0], [0.5, -3.0]])
    assert np.allclose(found.reference[0], x @ numbers * 0.3, rtol=1e-6)
    assert found.ok
    assert found.results[0].bound is not None
    bare = interp.compare(replace(raised.module, reference=None, origin=""), x)
    numbers[0, 1] = 2.1  # 7 steps of 0.3
    assert np.allclose(bare.reference[0], x @ numbers * 0.3, rtol=1e-6)
    assert interp.survey(raised.module, [(x,)])


def test_a_kernel_is_not_named_after_what_stays_in_float() -> None:
    """A product with weights in float is left there; the transposition before it is merged."""
    body = f"""%w = stablehlo.constant dense<[[1.0, 2.5], [0.5, -3.0], [1.0, 0.1], [0.7, 0.3]]> : {tensor((4, 2))}
      %t = stablehlo.transpose %x, dims = [1, 0] : ({tensor((4, 2))}) -> {tensor((2, 4))}
      %y = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : ({tensor((2, 4))}, {tensor((4, 2))}) -> {tensor((2, 2))}"""  # noqa: E501
    raised = raise_qdq(interp.load(simulated(body, B, (4, 2), (2, 2))))
    assert [left.operation for left in raised.left] == ["dot_general"]
    (rewrite,) = raised.rewrites
    assert (rewrite.kernel, rewrite.merged) == ("generic.transpose", ("transpose",))


def qdq(name: str, x: str, shape: tuple[int, ...], element: str, plain: str = "f32") -> str:
    """Return the lines that quantize and dequantize a value."""
    type, floats = tensor(shape, element), tensor(shape, plain)
    return f"""%{name}q = stablehlo.uniform_quantize {x} : ({floats}) -> {type}
      %{name} = stablehlo.uniform_dequantize %{name}q : ({type}) -> {floats}"""


def test_a_clamp_on_a_float_is_not_merged() -> None:
    """A cosine that is not quantized stays in float, and so does what bounds it; else it is a table."""
    body = """%c = stablehlo.multiply %x, %x : tensor<4xf32>
      %k = stablehlo.constant dense<0.25> : tensor<4xf32>
      %m = stablehlo.maximum %c, %k : tensor<4xf32>
      %y = stablehlo.cosine %m : tensor<4xf32>"""
    raised = raise_qdq(interp.load(simulated(body, "f32", (4,))))
    assert [left.operation for left in raised.left] == ["elementwise"]
    assert raised.rewrites == ()
    (rewrite,) = raise_qdq(interp.load(simulated(body, A, (4,)))).rewrites
    assert (rewrite.merged, rewrite.steps) == (("multiply", "maximum", "cosine"), 0)
    raised = raise_qdq(interp.load(simulated(body.partition("%y")[0].replace("%m", "%y"), A, (4,))))
    (rewrite,) = raised.rewrites
    assert rewrite.merged == ("multiply", "maximum")
    per_axis = simulated(body.partition("%y")[0].replace("%m", "%y"), A, (4,))
    last = per_axis.rpartition("%p =")
    per_axis = last[0] + last[1] + last[2].replace(A, "!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.25}>")
    assert {left.operation for left in raise_qdq(interp.load(per_axis)).left} == {"multiply", "maximum"}


def test_operations_after_a_float_one_are_not_merged() -> None:
    """The sum is an accumulator, which no product takes: that and the root after it are left in float."""
    body = """%zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
      %m = stablehlo.multiply %s, %s : tensor<4xf32>
      %y = stablehlo.sqrt %m : tensor<4xf32>"""  # noqa: E501
    raised = raise_qdq(interp.load(simulated(body, "f32")))
    assert [left.operation for left in raised.left] == ["multiply", "sqrt"]
    assert [rewrite.merged for rewrite in raised.rewrites] == [("reduce",)]


AXIS = "!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0, 0.5}>"


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
def test_what_moves_elements_has_floats_where_its_type_is_per_axis(flow: str) -> None:
    """Operands of half the size have no such type, and a transposition moves its axis."""
    y = """%y = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>"""
    x = np.array([1.5, -2], np.float32)
    raised = raise_qdq(interp.load(simulated(y, AXIS, (2,))), flow=flow)
    (found,) = interp.run(raised.module, x)
    assert found.storage.tolist() == [1.5, -2, 2, -2]  # 1.5 in steps of 1 is a tie
    assert [left.operation for left in raised.left] == ["concatenate"]
    y = """%a = stablehlo.add %x, %x : tensor<4x4xf32>
      %y = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>"""
    raised = raise_qdq(interp.load(simulated(y, AXIS, (4, 4), (4, 4))), flow=flow)
    numbers = np.full((4, 4), 0.75 / 2 + 0.125, np.float32)  # their sum is 1
    (found,) = interp.run(raised.module, numbers * 3)  # 1.5 doubled
    assert (found.storage == 3).all()


def test_codegen_moves_scales_from_one_axis_to_another() -> None:
    """By hand: diag(1, 2) times [[1, 2], [3, 4]] is [[1, 2], [6, 8]], which the steps 1 and 2 hold."""
    square = (2, 2)
    text = f"""func.func @main(%arg0: {tensor(square)}) -> {tensor(square)} {{
      {qdq("x", "%arg0", square, "!quant.uniform<i8:f32, 1.0>")}
      %c = stablehlo.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : {tensor(square)}
      {qdq("w", "%c", square, "!quant.uniform<i8:f32:0, {1.0, 2.0}>")}
      %d = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : ({tensor(square)}, {tensor(square)}) -> {tensor(square)}
      {qdq("y", "%d", square, "!quant.uniform<i8:f32:1, {1.0, 2.0}>")}
      return %y : {tensor(square)}
    }}"""  # noqa: E501
    x = np.array([[1, 2], [3, 4]], np.float32)
    for flow in ("stablehlo", "codegen"):
        (found,) = interp.run(raise_qdq(interp.load(text), flow=flow).module, x)
        assert found.storage.tolist() == [[1, 2], [6, 8]]


STORED = "!quant.uniform<i8:f32, 0.5:1>"
MOVEMENTS = {
    "reverse another axis": ("stablehlo.reverse %wd, dims = [0] : $F", (3, 4), [0, 1, 2, 3]),
    "reverse its own axis": ("stablehlo.reverse %wd, dims = [1] : $F", (3, 4), [3, 2, 1, 0]),
    "slice": ("stablehlo.slice %wd [0:3, 1:4:2] : ($F) -> tensor<3x2xf32>", (3, 2), [1, 3]),
    "merge": ("stablehlo.reshape %wide : (tensor<2x3x4xf32>) -> tensor<6x4xf32>", (6, 4), [0, 1, 2, 3]),
    "split": ("stablehlo.reshape %wd : ($F) -> tensor<3x2x2xf32>", (3, 2, 2), None),
}


@pytest.mark.parametrize("name", MOVEMENTS)
def test_scales_of_constant_weights_move_with_their_elements(name: str) -> None:
    """StableHLO reverses and slices no scales per axis: constants have moved when they are written."""
    text, shape, kept = MOVEMENTS[name]
    scales = [0.5, 0.25, 2.0, 1.0]
    per_axis = f"!quant.uniform<i8:f32:1, {{{','.join(map(str, scales))}}}>"
    out = "x".join(map(str, (2, *shape[1:])))
    module = interp.load(f"""func.func @main(%x: tensor<2x{shape[0]}xf32>) -> tensor<{out}xf32> {{
      %w = stablehlo.constant() {{value = dense<[[1, 2, 3, 4], [-5, 6, 7, 8], [9, -10, 11, 12]]>
        : tensor<3x4xi8>}}
        : () -> tensor<3x4x{per_axis}>
      %wd = stablehlo.uniform_dequantize %w : (tensor<3x4x{per_axis}>) -> tensor<3x4xf32>
      %wide = stablehlo.broadcast_in_dim %wd, dims = [1, 2] : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
      %m = {text.replace("$F", "tensor<3x4xf32>")}
      %q = stablehlo.uniform_quantize %x : (tensor<2x{shape[0]}xf32>) -> tensor<2x{shape[0]}x{STORED}>
      %d = stablehlo.uniform_dequantize %q : (tensor<2x{shape[0]}x{STORED}>) -> tensor<2x{shape[0]}xf32>
      %r = stablehlo.dot_general %d, %m, contracting_dims = [1] x [0]
        : (tensor<2x{shape[0]}xf32>, tensor<{"x".join(map(str, shape))}xf32>) -> tensor<{out}xf32>
      %s = stablehlo.uniform_quantize %r : (tensor<{out}xf32>) -> tensor<{out}x{STORED}>
      %t = stablehlo.uniform_dequantize %s : (tensor<{out}x{STORED}>) -> tensor<{out}xf32>
      return %t : tensor<{out}xf32>
    }}""")
    raised = raise_qdq(module)
    weights = [
        op.result.type.quantized_element_type.scales
        for op in raised.module.main.body.ops
        if op.name == "stablehlo.constant" and op.result.type.is_quantized
    ]
    if kept is None:  # two axes have the scales
        assert [each.form for each in raised.sums] == ["float"]
    else:
        assert weights == [tuple(scales[k] for k in kept)]
        assert [each.form for each in raised.sums] == ["integers"]
    x = np.random.default_rng(0).integers(-9, 9, (2, shape[0])).astype(np.float32) / 2
    assert interp.run(raised.module, x) == interp.run(module, x)  # all numbers are exact


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
@pytest.mark.parametrize(("body", "init", "sign"), [("maximum", -1e9, -1), ("minimum", 1e9, 1)])
def test_a_window_of_padding_is_the_init_value(flow: str, body: str, init: float, sign: int) -> None:
    """One place of padding on each side: its windows have no element. i8 in steps of 0.5 ends at -64."""
    region = f"({{ ^b(%a: tensor<f32>, %b: tensor<f32>): %c = stablehlo.{body} %a, %b : tensor<f32> "
    region += "stablehlo.return %c : tensor<f32> }) {window_dimensions = array<i64: 1>, "
    region += "padding = dense<1> : tensor<1x2xi64>}"
    y = f"""%init = stablehlo.constant dense<{init}> : tensor<f32>
      %y = "stablehlo.reduce_window"(%x, %init) {region} : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>"""
    raised = raise_qdq(interp.load(simulated(y, "!quant.uniform<i16:f32, 0.5>", (2,), (4,))), flow=flow)
    (rewrite,) = raised.rewrites
    assert rewrite.merged == ("reduce_window",)
    (found,) = interp.run(raised.module, np.array([3, -4], np.float32))
    end = -16384.0 if sign < 0 else 16383.5
    assert found.storage.tolist() == [end, 3, -4, end]


def narrow(body: str, result: str) -> Raised:
    element = "!quant.uniform<i8:f32, 0.3>"
    return raise_qdq(interp.load(simulated(body, result, (4,)).replace(A, element).replace("f32", "bf16")))


RELU = """%k = stablehlo.constant dense<0.0> : tensor<4xf32>
      %{} = stablehlo.maximum %x, %k : tensor<4xf32>"""


@pytest.mark.parametrize(
    "body",
    [
        "%y = stablehlo.reverse %x, dims = [0] : tensor<4xf32>",
        RELU.format("y"),
        RELU.format("r") + "\n%y = stablehlo.add %r, %x : tensor<4xf32>",
        "%c = stablehlo.constant dense<true> : tensor<4xi1>\n"
        "%y = stablehlo.select %c, %x, %x : tensor<4xi1>, tensor<4xf32>",
    ],
)
def test_bf16_has_no_claim_where_numbers_change_by_quantizing_again(body: str) -> None:
    """In steps of 0.3, -125 and 125 come back as another number of bf16; in steps of 0.5 all come back."""
    (rewrite,) = narrow(body, "!quant.uniform<i8:f32, 0.3>").rewrites
    assert rewrite.steps is None
    text = simulated(body, A, (4,)).replace("f32", "bf16")
    (rewrite,) = raise_qdq(interp.load(text)).rewrites
    assert rewrite.steps == 0


def test_in_bf16_a_move_and_a_clamp_differ_by_one_quantization() -> None:
    """127 in steps of 0.79296875 is 100.70703125, in bf16 100.5: 126.5 steps, which are 126.

    The float program quantizes what is moved again, the raised one does not; with a clamp in the last type it
    is the other way round.
    """
    element = "!quant.uniform<i8:f32, 0.79296875>"
    move = simulated("%y = stablehlo.reverse %x, dims = [0] : tensor<4xf32>", element, (4,)).replace(
        A, element
    )
    clamp = simulated(RELU.format("y"), element, (4,)).replace(A, "!quant.uniform<i8:f32, 8.0>")
    x = interp.to_storage([1000, 0, 0, 0], "bf16")
    for text, last in ((move, [0, 0, 0, 127]), (clamp, [126, 0, 0, 0])):
        m = interp.load(text.replace("f32", "bf16"))
        raised = raise_qdq(m)
        (wanted,), (found,) = interp.run(m, x), interp.run(raised.module, x)
        steps = [np.rint(y.storage.astype(np.float32) / 0.79296875).tolist() for y in (wanted, found)]
        assert steps[1] == last
        assert steps[0] == ([0, 0, 0, 126] if text is move else [127, 0, 0, 0])
        assert raised.rewrites[0].steps is None


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
def test_a_clamp_of_what_may_be_nan_has_no_claim(flow: str) -> None:
    """The root of -1 is NaN, and NaN is 0 in the type; the bound 1 waits for the type, and 0 becomes 1."""
    root = "%{} = stablehlo.sqrt %x : tensor<4xf32>"
    bounds = (
        "\n%k = stablehlo.constant dense<1.0> : tensor<4xf32>\n%y = stablehlo.maximum %r, %k : tensor<4xf32>"
    )
    x = np.array([-1, 4, 9, 0], np.float32)
    for body, last in ((root.format("y"), [0, 2, 3, 0]), (root.format("r") + bounds, [0, 2, 3, 1])):
        m = interp.load(simulated(body, A, (4,)))
        raised = raise_qdq(m, flow=flow)
        assert interp.run(m, x)[0].storage.tolist() == last
        differs = interp.run(raised.module, x)[0].storage.tolist() != last
        assert differs == (body != root.format("y"))
        assert (raised.rewrites[0].steps is None) == differs


def test_a_narrow_range_is_quantized_again_in_bf16() -> None:
    """127 in steps of 0.193359375 is 24.556, in bf16 24.5: 126.7 steps, in bf16 126.5, which are 126: 24.375.

    The product, which is clipped, is computed in all of i8, and quantized again to the range without -128.
    """
    body = "%y = stablehlo.multiply %x, %x : tensor<4xf32>"
    x = interp.to_storage([10, 0, 10, -10], "bf16")
    for storage, steps, last in (("i8", 0, 24.5), ("i8<-127:127>", None, 24.375)):
        element = f"!quant.uniform<{storage}:f32, 0.193359375>"
        text = simulated(body, element, (4,)).replace(A, element).replace("f32", "bf16")
        m = interp.load(text)
        raised = raise_qdq(m)
        found = [interp.run(program, x)[0].storage.astype(np.float32) for program in (m, raised.module)]
        assert [y.tolist() for y in found] == [[end, 0, end, end] for end in (24.5, last)]
        (rewrite,) = raised.rewrites
        assert rewrite.steps == steps


def test_codegen_names_a_rescaling_before_a_clamp_in_float() -> None:
    """2.5 and 3.5 in steps of 1 are ties: 2 and 4 to even, and 3 and 4 by a shift; both are above 1."""
    steps = "!quant.uniform<i8:f32:0, {1.0, 1.0, 1.0, 2.0}>"
    body = """%k = stablehlo.constant dense<1.0> : tensor<4xf32>
      %y = stablehlo.maximum %x, %k : tensor<4xf32>"""
    m = interp.load(simulated(body, steps, (4,)))
    x = np.array([2.5, 3.5, 0, 2], np.float32)
    raised = raise_qdq(m, flow="codegen")
    assert interp.run(m, x)[0].storage.tolist() == [2, 4, 1, 2]
    assert interp.run(raised.module, x)[0].storage.tolist() == [3, 4, 1, 2]
    assert [left.operation for left in raised.left] == ["maximum"]
    (rewrite,) = raised.rewrites
    assert (rewrite.merged, rewrite.steps) == (("uniform_dequantize", "uniform_quantize"), 1)
    assert raise_qdq(m).rewrites == ()


def test_a_relu_makes_no_error_smaller() -> None:
    """Sums of 2,000 numbers of i16 are rounded in f32: what bounds that stays when they are clamped at 0."""
    sums = """%zero = stablehlo.constant dense<0.0> : tensor<f32>
      %{} = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x2000xf32>, tensor<f32>) -> tensor<4xf32>
      {}%h = stablehlo.constant dense<0.5> : tensor<4xf32>
      %y = stablehlo.multiply %s, %h : tensor<4xf32>"""  # noqa: E501
    clamped = "%k = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
    clamped += "%s = stablehlo.maximum %t, %k : tensor<4xf32>\n"
    steps = []
    for body in (sums.format("s", ""), sums.format("t", clamped)):
        text = simulated(body, B, (4, 2000)).replace(A, "!quant.uniform<i16:f32, 0.5>")
        (rewrite,) = raise_qdq(interp.load(text)).rewrites
        assert rewrite.steps is not None
        steps.append(rewrite.steps)
    assert 100 < steps[0] <= steps[1]


def requantized(first: str, second: str) -> interp.Module:
    one = (4,)
    return interp.load(f"""func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {{
      {qdq("x", "%arg0", one, first)}
      {qdq("y", "%x", one, second)}
      return %y : tensor<4xf32>
    }}""")


def test_codegen_names_what_it_rescales_between_kernels() -> None:
    """0.5 in steps of 1 is a tie: 0 to even, and 1 by a shift."""
    m = requantized(A, "!quant.uniform<i8:f32, 1.0>")
    x = np.array([0.5, 1.5, -0.5, 3], np.float32)
    raised = raise_qdq(m, flow="codegen")
    (rewrite,) = raised.rewrites
    assert (rewrite.merged, rewrite.steps) == (("uniform_dequantize", "uniform_quantize"), 1)
    assert interp.run(m, x)[0].storage.tolist() == [0, 2, 0, 3]
    assert interp.run(raised.module, x)[0].storage.tolist() == [1, 2, 0, 3]
    assert raise_qdq(m).rewrites == ()  # there the quantization is the program's


def test_codegen_refuses_steps_beyond_i32() -> None:
    """From the zero point -2^31 the steps of i32 reach 2^32 - 1."""
    m = requantized("!quant.uniform<i32:f32, 1.0:-2147483648>", A)
    with pytest.raises(interp.Unsupported, match="i32 does not hold"):
        raise_qdq(m, flow="codegen")
    assert raise_qdq(m).module


def test_codegen_keeps_a_nan_in_the_range() -> None:
    """NaN is 0 clamped to the range, whose least number 3 is the zero point."""
    y = "%r = stablehlo.cosine %x : tensor<4xf32>\n%y = stablehlo.sqrt %r : tensor<4xf32>"
    element = "!quant.uniform<i8<3:100>:f32, 0.5:3>"
    raised = raise_qdq(interp.load(simulated(y, element, (4,))), flow="codegen")
    x = np.array([3, 0, 3, 0], np.float32)  # cosines of -0.99 and 1
    assert interp.run(raised.module, x)[0].storage.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
def test_what_selects_rounded_numbers_has_no_claim(flow: str) -> None:
    """0.5 + 0.1 and 0.5 + 0.10001 are one number in steps of 2^-13: the first of equals is selected.

    The float program selects the second, the greater one. With the numbers themselves both select the same.
    """
    scattered = f"""%z = stablehlo.constant dense<0.0> : tensor<f32>
      %c = stablehlo.constant dense<8.0> : tensor<1xf32>
      {qdq("s", "%c", (1,), A)}
      %y = "stablehlo.select_and_scatter"(%b, %s, %z) ({{
        ^b(%l: tensor<f32>, %r: tensor<f32>):
          %g = stablehlo.compare GE, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %g : tensor<i1>
      }}, {{
        ^b(%l: tensor<f32>, %r: tensor<f32>):
          %t = stablehlo.add %l, %r : tensor<f32>
          stablehlo.return %t : tensor<f32>
      }}) {{window_dimensions = array<i64: 2>}} : (tensor<2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2xf32>"""  # noqa: E501
    bias = """%k = stablehlo.constant dense<[0.1, 0.10001]> : tensor<2xf32>
      %b = stablehlo.add %x, %k : tensor<2xf32>\n"""
    x = np.array([0.5, 0.5], np.float32)
    for body, first, steps in (
        (scattered.replace("%b,", "%x,"), [8, 0], 0),
        (bias + scattered, [0, 8], None),
    ):
        m = interp.load(simulated(body, A, (2,), (2,)))
        raised = raise_qdq(m, flow=flow)
        assert interp.run(m, x)[0].storage.tolist() == first
        assert interp.run(raised.module, x)[0].storage.tolist() == [8, 0]
        claim = raised.rewrites[0].steps
        assert claim is None if steps is None else claim is not None


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
@pytest.mark.parametrize(
    ("operation", "number", "last"),
    [
        ("divide %x, %k", "-0.0", [-64, 63.5, 0]),  # -inf, inf, and NaN, which is 0
        (
            "atan2 %k, %x",
            "-0.0",
            [0, -3, 0],
        ),  # of -0 and of -0.5 that is -pi, and -3.14 in steps of 0.5 is -3
        ("multiply %x, %k", "0x7F800000", [63.5, -64, 0]),  # inf, -inf, NaN
        ("power %x, %k", "0x7F800000", [63.5, 0, 0]),
    ],
)
def test_no_step_is_infinite_or_minus_zero(operation: str, number: str, last: list[float], flow: str) -> None:
    """What a constant of no quantized type is combined with stays in float."""
    body = f"""%k = stablehlo.constant dense<{number}> : tensor<3xf32>
      %y = stablehlo.{operation} : tensor<3xf32>"""
    m = interp.load(simulated(body, A, (3,), (3,)))
    raised = raise_qdq(m, flow=flow)
    x = np.array([2, -0.5, 0], np.float32)
    assert interp.run(m, x)[0].storage.tolist() == last
    assert interp.run(raised.module, x)[0].storage.tolist() == last
    assert [left.operation for left in raised.left] == [operation.split()[0]]


@pytest.mark.parametrize(("bound", "last"), [("minimum %x, %k", [-64, -0.5]), ("clamp %k, %x, %o", [1, -64])])
def test_a_bound_of_minus_zero_is_no_stored_number(bound: str, last: list[float]) -> None:
    """The least of 1 and -0, and the greatest of -2 and -0, is -0: 1 divided by it is -inf, not inf."""
    body = f"""%k = stablehlo.constant dense<-0.0> : tensor<2xf32>
      %o = stablehlo.constant dense<1.0> : tensor<2xf32>
      %m = stablehlo.{bound} : tensor<2xf32>
      %y = stablehlo.divide %o, %m : tensor<2xf32>"""
    m = interp.load(simulated(body, A, (2,), (2,)))
    x = np.array([1, -2], np.float32)
    for program in (m, raise_qdq(m).module, raise_qdq(m, flow="codegen").module):
        assert interp.run(program, x)[0].storage.tolist() == last


def test_codegen_counts_multipliers_that_share_a_shift() -> None:
    """Of 31 bits for the factor 1024, 20 are places: 1.4 / 2^20 becomes 1 / 2^20.

    14 * 2^20 steps are then 14, and 19.6 are 20.
    """
    small = 1.4 / 2**20
    element = f"!quant.uniform<i32:f32:0, {{1024.0, {small:.9e}}}>"
    m = interp.load(f"""func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {{
      {qdq("x", "%arg0", (2,), element)}
      {qdq("y", "%x", (2,), "!quant.uniform<i8:f32, 1.0>")}
      return %y : tensor<2xf32>
    }}""")
    raised = raise_qdq(m, flow="codegen")
    x = np.array([0, 14 * 2**20 * small], np.float32)
    found = [interp.run(program, x)[0].storage.tolist() for program in (m, raised.module)]
    assert found == [[0, 20], [0, 14]]
    (rewrite,) = raised.rewrites
    assert rewrite.steps is not None
    assert rewrite.steps >= 6


def test_codegen_counts_a_shift_shared_with_a_constant() -> None:
    """5 * 2^17 - y in steps of 2^-3: the factors are 5 * 2^20 and 256.4, of which 31 bits leave 8 places.

    256.4 * 2^8 is 65638.4, in integers 65638: 20,448 steps less 0.4 / 2^8 each are 31.95 off.
    """
    scale = float(np.float32(256.4 / 8))
    body = """%k = stablehlo.constant dense<655360.0> : tensor<2xf32>
      %y = stablehlo.subtract %k, %x : tensor<2xf32>"""
    wide = f"!quant.uniform<i16:f32, {scale:.9e}>"
    text = simulated(body, "!quant.uniform<i8:f32, 0.125>", (2,), (2,)).replace(A, wide)
    m = interp.load(text)
    raised = raise_qdq(m, flow="codegen")
    x = np.array([20448 * scale, 0], np.float32)
    found = [interp.run(program, x)[0].storage * 8 for program in (m, raised.module)]
    (rewrite,) = raised.rewrites
    assert rewrite.steps is not None
    assert 31 <= abs(found[0] - found[1]).max() <= rewrite.steps


def test_a_contraction_sums_over_no_scales() -> None:
    """Weights with scales along the contracted dimension are dequantized before a float meets them.

    By hand: 1 * 1 + 1 * 2 is 3, with the steps 1 and 2.
    """
    body = f"""%w = stablehlo.constant dense<[[1.0], [2.0]]> : {tensor((2, 1))}
      {qdq("v", "%w", (2, 1), "!quant.uniform<i8:f32:0, {1.0, 2.0}>")}
      %y = stablehlo.dot_general %arg0, %v, contracting_dims = [1] x [0] : ({tensor((1, 2))}, {tensor((2, 1))}) -> {tensor((1, 1))}"""  # noqa: E501
    m = interp.load(simulated(body, A, (1, 2), (1, 1)))
    for flow in ("stablehlo", "codegen"):
        raised = raise_qdq(m, flow=flow)
        assert interp.verify(raised.module) == []
        assert interp.run(raised.module, np.ones((1, 2), np.float32))[0].storage.tolist() == [[3]]
