"""jaxlib's pass `stablehlo-legalize-quant-to-math`, one implementation of the integer reading, judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jaxlib.mlir import ir, passmanager

import interp
from interp.loading.reader import load_dialects
from tests.library.builders import contracting, reduced, single

PASSES = "func.func(stablehlo-legalize-quant-to-math),func.func(chlo-legalize-to-stablehlo),canonicalize"
ONE, MOVED = "!quant.uniform<i8:f32, 1.0>", "!quant.uniform<i8:f32, 0.5:-1>"
NAMES = "abs add clamp compare maximum minimum multiply negate select subtract".split()


def legalized(module: interp.Module) -> interp.Module:
    """The program as the pass leaves it, without quantized types."""
    with ir.Context() as context:
        load_dialects(context, True)
        program = ir.Module.parse(repr(module))
        passmanager.PassManager.parse(f"builtin.module({PASSES})").run(program.operation)
        return interp.load(str(program))


def answer(module: interp.Module, *args: np.ndarray) -> np.ndarray:
    return interp.run(legalized(module), *args)[0].storage


@st.composite
def types(draw: st.DrawFn) -> str:
    scale = draw(st.sampled_from([0.25, 0.5, 1.0, 0.3, 0.07]) | st.floats(0.015625, 2, width=32))
    return f"!quant.uniform<i8:f32, {scale!r}:{draw(st.integers(-128, 127))}>"


@pytest.mark.slow("draws for each operation", rows=3)
@pytest.mark.parametrize("name", NAMES)
def test_signed_elementwise_results_are_permitted(name: str) -> None:
    """Some are not permitted in the dequantize reading: `add` rescales each operand, and rounds it."""
    arity = 3 if name in ("clamp", "select") else 1 if name in ("abs", "negate") else 2
    alike = name in ("clamp", "compare", "select")

    @settings(deadline=None, max_examples=15)
    @given(st.lists(types(), min_size=4, max_size=4), st.integers(0, 2**32 - 1))
    def check(drawn: list[str], seed: int) -> None:
        own = [drawn[0]] * 4 if alike else drawn
        inputs, result = [f"32x{type}" for type in own[:arity]], f"32x{own[3]}"
        if name == "compare":
            result = "32xi1"
        if name == "select":
            inputs[0] = "32xi1"
        attributes = {"comparison_direction": "LT"} if name == "compare" else {}
        module = single(name, f"{'; '.join(inputs)} -> {result}", **attributes)
        rng = np.random.default_rng(seed)
        args = [rng.integers(-128, 128, 32).astype(np.int8) for _ in inputs]
        if name == "select":
            args[0] = args[0] > 0
        assert interp.permits(module, args, [answer(module, *args)], reading="integer").ok

    check()


def test_accumulators_are_equal() -> None:
    """A result that is the accumulator itself has the same bits, zero points included."""
    rng = np.random.default_rng(7)
    product = float(np.float32(0.3) * np.float32(0.5))
    types = f"6x9x{MOVED}; 9x7x!quant.uniform<i8:f32, 0.3> -> 6x7x!quant.uniform<i32:f32, {product!r}>"
    dot = single("dot_general", types, **contracting(1))
    args = [rng.integers(-128, 128, shape).astype(np.int8) for shape in ((6, 9), (9, 7))]
    ours = interp.run(dot, *args, reading="integer")[0].storage
    assert np.array_equal(answer(dot, *args), ours)


def deviates(module: interp.Module, *args: Any) -> tuple[int, int]:
    """Return the results of the pass and of the integer reading, which does not permit the first."""
    stored = [np.asarray(x, v.type.storage_type.numpy) for x, v in zip(args, module.main.inputs, strict=True)]
    (ours,) = interp.run(module, *stored, reading="integer")
    theirs = answer(module, *(x.view(np.int8) for x in stored)).view(ours.storage.dtype)
    assert interp.permits(module, stored, [theirs], reading="integer").is_refuted
    assert not interp.permits(module, stored, [theirs]).ok
    return theirs.item(), ours.storage.item()


def test_a_contraction_wraps_where_its_result_saturates() -> None:
    dot = single("dot_general", f"1x1x{ONE}; 1x1x{ONE} -> 1x1x{ONE}", **contracting(1))
    assert deviates(dot, [[100]], [[2]]) == (-56, 127)


def test_a_contraction_truncates_what_is_to_be_rounded_and_the_zero_points_apart() -> None:
    """7 * 0.5 becomes 3 and -1 * 0.5 becomes 0; their difference is exactly 4."""
    dot = single("dot_general", f"1x1x{MOVED}; 1x1x{ONE} -> 1x1x{ONE}", **contracting(1))
    assert deviates(dot, [[7]], [[1]]) == (3, 4)


def test_unsigned_storage_is_read_as_signed() -> None:
    unsigned = ONE.replace("i8", "u8")
    assert deviates(single("maximum", f"1x{unsigned}; 1x{unsigned} -> 1x{unsigned}"), [200], [1]) == (1, 200)


def test_a_reduction_is_not_legalized() -> None:
    with pytest.raises(ir.MLIRError, match=r"failed to legalize operation 'stablehlo\.reduce'"):
        legalized(reduced(f"4x{ONE}"))
