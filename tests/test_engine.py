"""The engine against the oracle, bit for bit, over random programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from interp.execute.run import run
from spec import schedule
from spec.accumulator import INTEGER, LITERAL, Accumulator, Reading
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.readings import reading_error
from spec.types import TensorType, make_quantized
from tests.library.builders import module, reduce
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import PROGRAMS, Program, leaves

SCHEDULES = st.one_of(
    st.sampled_from([schedule.LEFT, schedule.BALANCED, schedule.blocks(1), schedule.blocks(3)]),
    st.integers(0, 9).map(schedule.random),
)
ACCUMULATORS = st.builds(Accumulator, st.sampled_from([32, 32, 16, 8, 5, 33, 48]), st.booleans())
IN_INTEGERS = ACCUMULATORS.map(lambda accumulator: Reading(INTEGER, accumulator))
READINGS = st.one_of(st.just(LITERAL), IN_INTEGERS)
RANDOM = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def oracle_tensor(array: np.ndarray, type: TensorType) -> Tensor:
    """Stored elements as the oracle's Python numbers."""
    kind = type.storage_type.kind
    wide = {"float": np.float64, "complex": np.complex128, "boolean": bool}.get(kind, object)
    with np.errstate(invalid="ignore"):  # signalling NaNs become quiet ones
        return Tensor(type, tuple(array.astype(wide).ravel().tolist()))


def stored(tensor: Tensor) -> np.ndarray:
    """The oracle's elements in the storage dtype (every float of a format is exact in it)."""
    dtype = np.dtype(tensor.type.storage_type.numpy)
    return np.array(tensor.elements, dtype=dtype).reshape(tensor.type.shape)


def same(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Equal bits; a NaN equals a NaN."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind in "fcV":
        parts = (
            [(ours.real, theirs.real), (ours.imag, theirs.imag)]
            if ours.dtype.kind == "c"
            else [(ours, theirs)]
        )
        return all(_same_floats(a, b) for a, b in parts)
    return bool((ours == theirs).all())


def _same_floats(a: np.ndarray, b: np.ndarray) -> bool:
    nan = np.isnan(a)
    bits = np.dtype(f"uint{a.dtype.itemsize * 8}")
    equal = np.ascontiguousarray(a).view(bits).ravel() == np.ascontiguousarray(b).view(bits).ravel()
    return bool((nan == np.isnan(b)).all() and (equal | nan.ravel()).all())


def agree(program: Program, tree: schedule.Schedule, reading: Reading = LITERAL) -> None:
    if error := reading_error(program.module, "main", reading):
        with pytest.raises(type(error)):
            run(program.module, *program.args, schedule=tree, reading=reading)
        return
    ours = run(program.module, *program.args, schedule=tree, reading=reading)
    inputs = program.module.main.inputs
    args = [oracle_tensor(x, v.type) for x, v in zip(program.args, inputs, strict=True)]
    for result, expected in zip(ours, evaluate(program.module, args, tree, reading=reading), strict=True):
        note(f"engine {result.storage!r}\noracle {stored(expected)!r}")
        assert result.type == expected.type
        assert same(result.storage, stored(expected))


@settings(RANDOM, max_examples=120)
@given(PROGRAMS, SCHEDULES, READINGS)
def test_reductions_equal_the_oracle(program: Program, tree: schedule.Schedule, reading: Reading) -> None:
    assume(leaves(program) < 2000)
    agree(program, tree, reading)


@pytest.mark.parametrize("family", FAMILIES)
def test_other_ops_equal_the_oracle(family: str) -> None:
    @settings(RANDOM, max_examples=60)
    @given(FAMILIES[family], SCHEDULES, READINGS)
    def check(program: Program, tree: schedule.Schedule, reading: Reading) -> None:
        agree(program, tree, reading)

    check()


@pytest.mark.parametrize("tree", ["left", "balanced", "random(3)", "blocks(2)"])
def test_run_is_deterministic_across_threads(tree: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    program = next(iter(_examples(1)))
    with ThreadPoolExecutor(8) as pool:
        outs = list(pool.map(lambda _: run(program.module, *program.args, schedule=tree)[0], range(32)))
    assert all(out == outs[0] for out in outs)


def _examples(n: int) -> list[Program]:
    """A few fixed programs: sums of i8 into i32 with another scale."""
    narrow, wide = make_quantized("i8", "f32", 0.3, 3), make_quantized("i32", "f32", 0.25)
    program, rng = module(reduce("add", narrow, wide, (50, 40), (0,))), np.random.default_rng(7)
    data = lambda: (rng.integers(-128, 128, (50, 40)).astype(np.int8), np.int8(3))
    return [Program(program, data()) for _ in range(n)]
