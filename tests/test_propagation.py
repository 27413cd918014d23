"""Propagation decides each value once, keeps every kernel's rule, and says where it cannot."""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import event, given, settings

import interp
from interp.apps.quantization.constraints import Any, Calibrated, Constraint, NoQuant, Uniform, constrain
from interp.apps.quantization.graph import view
from interp.apps.quantization.kernels import kernels, specs_of
from interp.apps.quantization.pipeline import fuse, unfuse
from interp.apps.quantization.port_rules import fixed_scale, free, same_scale
from interp.apps.quantization.propagate import Propagation, propagation, solve
from interp.apps.quantization.targets import Target
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.types import QuantizedType, make_quantized, parse_type

CHAIN = """
func.func @main(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<16xf32> {
  %a = stablehlo.add %x, %y : tensor<2x4xf32>
  %b = stablehlo.tanh %y : tensor<2x4xf32>
  %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %d = stablehlo.reshape %c : (tensor<4x4xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
}"""
DENSE = """
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = stablehlo.constant dense<[[1.0, -0.5], [0.25, 2.0], [-2.0, 0.125]]> : tensor<3x2xf32>
  %b = stablehlo.constant dense<[0.5, -0.25]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %wide = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %s = stablehlo.add %p, %wide : tensor<2x2xf32>
  %r = stablehlo.maximum %s, %zero : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}"""
HALF = "!quant.uniform<i8:f32, 0.5>"
FIFTH = "!quant.uniform<i8:f32, 0.2:3>"


def propagated(text: str, constraints: dict[str, Constraint], target: str | Target = "int8") -> Propagation:
    from interp.apps.quantization.targets import target_named

    program = fuse(interp.load(text), target_named(target))
    return propagation(constrain(program, constraints), target)


def types(found: Propagation) -> dict[str, str]:
    return {each.value: repr(each.type) for each in found.decisions}


def test_a_type_goes_forward_and_backward_through_kernels_of_one_scale() -> None:
    forward = types(propagated(CHAIN, {"%c": Uniform(HALF)}, "int8"))
    assert forward["%c"] == forward["%d"] == repr(make_quantized("i8", "f32", 0.5))
    backward = types(propagated(CHAIN, {"%d": Uniform(HALF)}, "int8"))
    assert backward["%a"] == backward["%c"] == backward["%d"]
    assert "%x" not in backward  # an addition ties nothing, and no range of %x is known


def test_a_range_decides_for_all_values_of_one_scale() -> None:
    """The widest range counts, wherever it was seen, and says so."""
    given = {"%a": Calibrated(-1.0, 1.0), "%c": Calibrated(-1.0, 4.1), "%x": Calibrated(0.0, 1.0)}
    found = propagated(CHAIN, given, propagating("add", "concatenate", "reshape"))
    assert types(found)["%a"] == types(found)["%d"]
    decided = next(each for each in found.decisions if each.value == "%a")
    assert (decided.range, decided.neighbour) == ((-1.0, 4.1), "%c")
    assert decided.type.scale == pytest.approx(5.1 / 255)


def propagating(*names: str) -> Target:
    """Return a target of i8 kernels; those that move elements keep the scale."""
    target = Target("test")
    for name in names:
        rule = same_scale if name in ("concatenate", "reshape") else free
        target = target.kernel(f"generic.{name}", "i8 -> i8", rule)
    return target


def test_a_conflict_is_converted_on_its_way_and_names_what_removes_it() -> None:
    """tanh has a scale of its own, which the concatenation with %a has not."""
    given = {"%a": Uniform(HALF), "%y": Calibrated(-1.0, 1.0), "%x": Calibrated(0.0, 1.0)}
    found = propagated(CHAIN, given)
    (rescale,) = found.rescales
    assert (rescale.value, rescale.constraint) == ("%b", "fixed_scale(0.0078125:0)")
    assert (rescale.was.scale, rescale.becomes.scale) == (0.5, 2.0**-7)
    conversions = [op for op in found.module.ops() if op.name == "stablehlo.uniform_quantize"]
    assert [op.operand.type.is_quantized for op in conversions] == [False, True]
    assert rescale.remedy is not None
    value, type = rescale.remedy
    assert propagated(CHAIN, {**given, value: Uniform(type)}).rescales == ()
    assert f'"{value}": Uniform(' in repr(rescale)


def test_a_bias_takes_the_scale_of_the_products_per_channel() -> None:
    found = propagated(DENSE, {"%x": Uniform(HALF), "%r": Uniform(FIFTH)})
    by_value = {each.value: each for each in found.decisions}
    weights, bias = by_value["%w"].type, by_value["%b"].type
    assert (weights.storage_min, weights.storage_max, weights.quantization_dimension) == (-127, 127, 1)
    assert weights.scales == pytest.approx((2.0 / 127, 2.0 / 127))
    assert (bias.storage_type.name, bias.zero_points, bias.quantization_dimension) == ("i32", (0, 0), 0)
    assert bias.scales == tuple(0.5 * scale for scale in weights.scales)
    assert by_value["%b"].constraint == "multiplier_accumulator_scale"


def test_weights_that_are_not_narrow_are_refused_where_the_kernel_wants_them_narrow() -> None:
    """Upstream leaves such a kernel as it is; here the constraint is named that no kernel can keep."""
    whole = "!quant.uniform<i8:f32, 0.5>"
    with pytest.raises(Unsupported, match=r"%w cannot have .*\n.*-127:127"):
        propagated(DENSE, {"%x": Uniform(HALF), "%w": Uniform(whole), "%r": Uniform(FIFTH)})


def test_partly_specified_kernels_take_the_first_signature_that_is_wide_enough() -> None:
    target = propagating("reshape").kernel("generic.add", "i8, i8 -> i8", free)
    target = target.kernel("generic.add", "i16 symmetric, i16 symmetric -> i16 symmetric", free)
    ranges: dict[str, Constraint] = {name: Calibrated(-1.0, 2.0) for name in ("%x", "%y")}
    narrow = types(propagated(CHAIN, {**ranges, "%a": Any(5)}, target))
    wide = types(propagated(CHAIN, {**ranges, "%a": Any(9)}, target))
    assert narrow["%x"].startswith("!quant.uniform<i8:")
    assert wide["%x"].startswith("!quant.uniform<i16:")


def test_a_width_that_no_signature_has_is_refused() -> None:
    with pytest.raises(Unsupported, match=r"%a cannot have at least 16 bits\n.*generic.add %a takes i8"):
        propagated(CHAIN, {"%a": Any(16), "%x": Calibrated(0.0, 1.0), "%y": Calibrated(0.0, 1.0)})


def test_a_value_that_stays_in_float_keeps_its_kernels_in_float() -> None:
    given = {"%a": NoQuant(), "%y": Calibrated(-1.0, 1.0)}
    found = propagated(CHAIN, given)
    assert {each.value for each in found.open} == {"%a", "%c", "%d"}
    assert "%a is not to be quantized" in repr(found.open[0])
    assert types(found)["%b"] == repr(make_quantized("i8", "f32", 2.0**-7))


def test_contradictory_fixed_scales_are_refused() -> None:
    with pytest.raises(Malformed, match=r"constraints of %a contradict one another\n.*\n.*"):
        propagated(CHAIN, {"%a": [Uniform(HALF), Uniform(FIFTH)]})  # type: ignore[dict-item]
    target = Target("odd").kernel("generic.tanh", "i8 -> i8", fixed_scale({1: (0.5, 0)}))
    with pytest.raises(Malformed, match=r"fixed_scale names port 2, which generic.tanh %b does not quantize"):
        propagated(CHAIN, {"%y": Calibrated(-1.0, 1.0)}, target)


def test_a_users_rule_decides_ports() -> None:
    def halved(inputs: list[object], outputs: list[object]) -> tuple[list[int], list[int]]:
        if not isinstance(inputs[0], QuantizedType):
            return [], []
        outputs[0] = make_quantized("i8", "f32", inputs[0].scale / 2)
        return [], [0]

    target = Target("mine").kernel("generic.tanh", "i8 -> i8", halved)
    found = propagated(CHAIN, {"%y": Uniform(HALF)}, target)
    assert types(found)["%b"] == repr(make_quantized("i8", "f32", 0.25))
    assert found.decisions[-1].constraint == "halved"
    wrong = Target("mine").kernel("generic.tanh", "i8 -> i8", lambda inputs, outputs: 3)  # type: ignore
    with pytest.raises(Malformed, match=r"returned 3\n.*expected the positions"):
        propagated(CHAIN, {"%y": Uniform(HALF)}, wrong)


def test_a_loop_carries_one_type() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %start = stablehlo.abs %x : tensor<4xf32>
      %r:2 = stablehlo.while(%i = %n, %s = %start) : tensor<i32>, tensor<4xf32>
      cond {
        %go = stablehlo.compare GT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %next = stablehlo.subtract %i, %one : tensor<i32>
        %sum = stablehlo.add %s, %x : tensor<4xf32>
        stablehlo.return %next, %sum : tensor<i32>, tensor<4xf32>
      }
      return %r#1 : tensor<4xf32>
    }"""
    module = interp.load(text)
    given = {"%x": Calibrated(-1.0, 1.0), "%start": Calibrated(0.0, 1.0), "%sum": Calibrated(-4.0, 5.0)}
    found = propagated(text, given)
    (start, added) = list(kernels(found.module))
    assert specs_of(start)[1] == specs_of(added)[0] == specs_of(added)[2]
    x = np.array([0.5, -0.25, 1.0, 0.0], np.float32)
    exact = interp.run(module, x, np.int32(3))[0].storage
    assert abs(interp.run(found.module, x, np.int32(3))[0].storage - exact).max() <= 0.1


def test_values_with_one_key_share_a_type() -> None:
    text = """
    module {
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %a = "stablehlo.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %b = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %c = "quant.coupled_ref"(%a) {coupledKey = "k"} : (tensor<4xf32>) -> tensor<4xf32>
        %d = "quant.coupled_ref"(%b) {coupledKey = "k"} : (tensor<4xf32>) -> tensor<4xf32>
        "func.return"(%c, %d) : (tensor<4xf32>, tensor<4xf32>) -> ()
      }
    }"""
    given = {"%x": Calibrated(-1.0, 1.0), "%a": Calibrated(0.0, 1.0), "%b": Calibrated(-1.0, 1.0)}
    found = propagated(text, given)
    one, other = kernels(found.module)
    assert specs_of(one)[1] == specs_of(other)[1]
    assert not [op for op in found.module.ops() if op.name == "quant.coupled_ref"]


# Random graphs of kernels: each has one or two operands among the values so far.
RULES = {
    "add": free,
    "minimum": same_scale,
    "negate": same_scale,
    "abs": free,
    "tanh": fixed_scale({0: (0.25, 0)}),
}
RANDOM = Target("random")
for _name, _rule in RULES.items():
    RANDOM = RANDOM.kernel(f"generic.{_name}", "i8 -> i8", _rule)
    RANDOM = RANDOM.kernel(f"generic.{_name}", "i16 symmetric -> i16 symmetric", _rule)
TENSOR = parse_type("tensor<2xf32>")
ARGUMENTS = 2
ARRAYS = np.array([1.0, -0.5], np.float32), np.array([0.25, 2.0], np.float32)
STEP = st.tuples(st.sampled_from(sorted(RULES)), st.integers(0, 30), st.integers(0, 30))
CONSTRAINT = st.one_of(
    st.sampled_from([0.25, 0.5]).map(lambda scale: Uniform(make_quantized("i8", "f32", scale))),
    st.sampled_from([4, 8, 12]).map(Any),
    st.sampled_from([(-1.0, 1.0), (0.0, 3.0)]).map(lambda pair: Calibrated(*pair)),
    st.just(NoQuant()),
)


def drawn(steps: Sequence[tuple[str, int, int]]) -> Module:
    """Return the program of a random graph."""
    values = [Value(f"%arg{k}", TENSOR) for k in range(ARGUMENTS)]
    ops = []
    for k, (name, one, other) in enumerate(steps):
        result = Value(f"%v{k}", TENSOR)
        two = name in ("add", "minimum")
        operands = [values[i % len(values)] for i in ((one, other) if two else (one,))]
        ops.append(Op(f"stablehlo.{name}", tuple(operands), (result,)))
        values.append(result)
    end = Op("func.return", (values[-1],), ())
    return Module({"main": Func("main", Region(tuple(values[:ARGUMENTS]), (*ops, end)), (TENSOR,))})


@settings(max_examples=150)
@given(st.lists(STEP, min_size=1, max_size=12), st.dictionaries(st.integers(0, 13), CONSTRAINT, max_size=5))
def test_random_graphs_end_alike_and_keep_every_rule(
    steps: list[tuple[str, int, int]], wanted: dict[int, Constraint]
) -> None:
    fused = fuse(drawn(steps), RANDOM)
    present = {v.name for op in kernels(fused) for v in (*op.operands, *op.results)}
    names = {f"%arg{k}" if k < ARGUMENTS else f"%v{k - ARGUMENTS}": each for k, each in wanted.items()}
    try:
        module = constrain(fused, {name: each for name, each in names.items() if name in present})
        solver = solve(module, RANDOM)
    except Unsupported as refused:
        event(refused.verdict.partition(" ")[2][:11])
        return
    ports = sum(len(kernel.values) for kernel in solver.graph.kernels)
    assert solver.steps <= len(solver.graph.kernels) + ports * len(solver.graph.kernels)
    for kernel in solver.graph.kernels:
        if kernel.row:
            derived = kernel.row[1].derive(view(kernel))
            assert all(kernel.type(k) == type for k, type in derived.items())
            assert all(kernel.port(k).holds(t) for k in range(len(kernel.values)) if (t := kernel.type(k)))
    first, second = propagation(module, RANDOM), propagation(module, RANDOM)
    assert first.decisions == second.decisions
    assert first.module.main == second.module.main
    assert len({each.value for each in first.decisions}) == len(first.decisions)
    assert interp.verify(first.module) == []
    simulated = interp.run(first.module, *ARRAYS)[0].storage
    assert (interp.run(unfuse(first.module), *ARRAYS)[0].storage == simulated).all()
