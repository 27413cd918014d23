"""Error bounds of sums along accumulations against the float reference, which adds as declared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.comparison.error_bound import bound_results
from interp.comparison.roundoff import bound_input
from interp.engine.evaluate import Context
from interp.execute.run import operations_for, reading_and_ways
from interp.rewrite.float_reference import float_reference
from spec.schedule import LEFT
from tests.library.oracles.accumulated_by_hand import CONVOLUTION, DOT, QDQ, REDUCE, WINDOW
from tests.library.strategies.accumulations import float_accumulations, integer_accumulations

NARROW, RIGHT = "!quant.uniform<i8:f32, 0.3:3>", "!quant.uniform<i8:f32, 0.25>"
PROGRAMS = {
    "quantized": DOT.format(m=2, k=9, n=2, lhs=NARROW, rhs=RIGHT, result="!quant.uniform<i16:f32, 0.37:-4>"),
    "narrow": DOT.format(m=2, k=9, n=2, lhs=NARROW, rhs=RIGHT, result="!quant.uniform<i8:f32, 20.0:5>"),
    "qdq": QDQ.format(lhs=NARROW, rhs=RIGHT),
    "convolution": CONVOLUTION.format(lhs=NARROW, rhs=RIGHT, result="!quant.uniform<i16:f32, 0.37:-4>"),
    "quantized reduce": REDUCE.format(m=2, k=7, type=NARROW, op="add"),
    "window": WINDOW.format(k=5, type=NARROW),
    "dot": DOT.format(m=2, k=9, n=2, lhs="f32", rhs="f32", result="f32"),
    "reduce": REDUCE.format(m=2, k=7, type="f32", op="add"),
    "bf16": DOT.format(m=2, k=9, n=2, lhs="bf16", rhs="bf16", result="bf16"),
}
ORDERS = ("left", "balanced", "blocks(3)", "random(1)")


def arguments(module: Any, seed: int) -> list[Any]:
    """Return small integers, or floats that cancel and absorb; the init is not zero."""
    rng, args = np.random.default_rng(seed), list[Any]()
    for value in module.main.inputs:
        type, shape = value.type.storage_type, value.type.shape
        x = rng.integers(-128, 128, shape)
        if type.kind == "float":
            x = x * 2.0 ** rng.integers(-12, 12, shape)
        args.append(np.asarray(x).astype(type.numpy if type.name != "bf16" else interp_bf16()))
    return args


def interp_bf16() -> Any:
    import ml_dtypes

    return ml_dtypes.bfloat16


@given(
    st.sampled_from(list(PROGRAMS)),
    integer_accumulations | float_accumulations,
    st.sampled_from(["dequantize", "integer"]),
    st.integers(0, 999),
)
@settings(max_examples=150)
def test_bounds_hold_for_a_reference_in_any_order(
    name: str, accumulation: str, reading: str, seed: int
) -> None:
    """Brute force: the float program in several orders, in its own type and in f64's."""
    module = interp.load(PROGRAMS[name])
    args = arguments(module, seed)
    try:
        read, ways = reading_and_ways(module, ["main"], LEFT, (reading, {"%0": accumulation}, None))
        (result,) = interp.run(module, *args, accumulator={"%0": accumulation}, reading=reading)
    except interp.Unsupported:
        assume(False)
    inputs = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(args, module.main.inputs, strict=True)]
    bounded = [bound_input(x, v.type) for x, v in zip(inputs, module.main.inputs, strict=True)]
    with np.errstate(all="ignore"), operations_for(ways) as operations:
        context = Context(NUMPY, module, LEFT, operations, reading=read)
        (found,) = bound_results(context, module.main.body, bounded, ways)
    stored = NUMPY.encode(found.value, result.type.storage_type)
    assert stored.tobytes() == result.storage.tobytes()
    floats = float_reference(module)
    tensors = [interp.Tensor(v.type, x).dequantize() for x, v in zip(args, module.main.inputs, strict=True)]
    ours = np.asarray(result.dequantize(), np.float64)
    for order in ORDERS:
        if name in ("reduce", "quantized reduce", "window") and order == "blocks(3)":
            continue  # which repeats the init
        (reference,) = interp.run(floats, *tensors, schedule=order)
        off = np.abs(ours - np.asarray(reference.storage, np.float64))
        error = np.broadcast_to(found.error, off.shape)
        known = np.isfinite(error)
        assert (off[known] <= error[known]).all(), (off, error)


@pytest.mark.parametrize("bits", [14, 15])
def test_there_is_no_bound_where_an_accumulator_overflows(bits: int) -> None:
    """100 * 100 = 10,000 twice is 20,000, which 16 bits hold, and 15 do not."""
    text = DOT.format(m=1, k=2, n=1, lhs=RIGHT, rhs=RIGHT, result="!quant.uniform<i32:f32, 0.0625>")
    args = np.int8([[100, 100]]), np.int8([[100], [100]])
    module = interp.load(text)
    for reading in ("dequantize", "integer"):
        for kind in ("saturate", "wrap"):
            found = interp.compare(module, *args, accumulator=f"left in i{bits + 1} {kind}", reading=reading)
            assert np.isnan(found.bounds[0]).all() == (bits == 14)
            assert found.ok
            (result,) = found.results
            assert (result.bound is None) == (bits == 14)


def test_compare_takes_accumulations_of_one_program_and_of_two() -> None:
    module = interp.load(PROGRAMS["quantized"])
    args = arguments(module, 3)
    found = interp.compare(module, *args, accumulator="star in f16")
    (expected,) = interp.run(module, *args, accumulator="star in f16")
    assert found.ok
    assert np.array_equal(found.outputs[0].storage, expected.storage)
    assert 0 < found.results[0].bound < np.inf
    both = interp.compare(module, *args, against=module, accumulator="left in i12 saturate")
    assert both.ok
    assert not np.array_equal(both.outputs[0][0].storage, interp.run(module, *args)[0].storage)
    with pytest.raises(interp.Unsupported, match="the named sums of two programs"):
        interp.compare(module, *args, against=module, accumulator={"%0": "i12"})
