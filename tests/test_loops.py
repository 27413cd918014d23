"""Compiled loops: recorded code gives the bits of the kernels that it was recorded from."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interp.answers.trace import trace
from interp.backends import NUMPY, loops, scalar_backend
from interp.backends.scalar_backend import Recording, Scalar, Unrecordable
from interp.engine.evaluate import Context
from interp.execute.plan import plan
from interp.execute.run import run
from interp.kernels import OPERATIONS
from spec.schedule import LEFT, Schedule
from spec.types import ELEMENT_TYPES, make_quantized
from tests.library.builders import module, reduce, scattered, windowed
from tests.library.strategies.kernel_programs import FLOATS, recast, specials, tables
from tests.library.strategies.op_programs import BINARY
from tests.library.strategies.programs import Program, joined, reduce_windows, reduces, select_and_scatters
from tests.library.strategies.scatter_programs import scatters
from tests.test_engine import RANDOM, SCHEDULES, same

numba = pytest.importorskip("numba", reason="numba has no wheel here, so that folds run in NumPy")
BODIES = st.one_of(reduces(), recast(), reduce_windows(), select_and_scatters(), scatters())


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Compile every fold that can be, and list the source of what runs."""
    ran: list[str] = []
    compiled = loops.compile_loop
    monkeypatch.setattr(
        loops, "compile_loop", lambda source, *dtypes: ran.append(source) or compiled(source, *dtypes)
    )
    monkeypatch.setattr(loops, "WORTH", 0)
    monkeypatch.setattr(loops, "NOTICED", 0)
    return ran  # type: ignore[return-value]


def in_both_ways(program: Program, tree: str | Schedule = LEFT) -> None:
    """Assert that a program has the same results with compiled loops and without."""
    looped = run(program.module, *program.args, schedule=tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops, "NOTICED", 1 << 62)
        stepped = run(program.module, *program.args, schedule=tree)
    assert all(same(ours.storage, theirs.storage) for ours, theirs in zip(looped, stepped, strict=True))


@pytest.mark.slow("numba compiles much code")
@settings(RANDOM, max_examples=15, suppress_health_check=list(HealthCheck))
@given(BODIES, SCHEDULES)
def test_recorded_folds_equal_those_on_arrays(always: list[str], program: Program, tree: Schedule) -> None:
    in_both_ways(program, tree)


def on_numbers(program: Program) -> tuple[list[np.ndarray], list[np.ndarray]] | None:
    """Return what recorded code and NumPy make of elementwise operations' operands; None if unrecordable.

    The loop has one leaf: it replaces a state of zeros by the result.
    """
    func = program.module.main
    ctx = Context(NUMPY, program.module, LEFT, OPERATIONS)
    values = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(program.args, func.inputs, strict=True)]
    with np.errstate(all="ignore"):
        expected = ctx.run(func.body, values)
    combine = lambda xp, state, leaf: ctx._replace(xp=xp).run(func.body, leaf)
    shape = func.body.returns[0].type.shape
    leaf = tuple(np.broadcast_to(x, shape)[None] for x in values)
    state = tuple(np.zeros_like(x) for x in expected)
    try:
        step = loops.record_step(NUMPY, combine, [x.dtype for x in state], [x.dtype for x in leaf])
    except NotImplementedError:
        return None
    stored = lambda state: [
        NUMPY.encode(x, v.type.storage_type) for x, v in zip(state, func.body.returns, strict=True)
    ]
    return stored(loops.Compiled(step)(state, [leaf])), stored(expected)


@pytest.mark.slow("numba compiles much code")
@settings(RANDOM, max_examples=15)
@given(specials())
def test_recorded_operations_equal_those_on_arrays(program: Program) -> None:
    if both := on_numbers(program):
        assert all(same(ours, theirs) for ours, theirs in zip(*both, strict=True))


def orders_bits(program: Program) -> bool:
    """Return whether a comparison is of the bits of floats, which recorded code does not have."""
    return "TOTALORDER" in str(program.module.main.body.ops[0].attributes.get("compare_type"))


@pytest.mark.slow("numba compiles much code")
@pytest.mark.parametrize("name", [*BINARY["integer"].split(), "compare"])
def test_recorded_operations_are_right_at_edges(name: str) -> None:
    """NaN, infinities, zeros of either sign, subnormal numbers, and the ends of integers."""
    named = [p for p in tables() if p.module.main.body.ops[0].name == f"stablehlo.{name}"]
    real = [p for p in named if p.args[0].dtype.kind != "c" and not orders_bits(p)]
    assert len(real) >= 8
    for some in [real] if name != "power" else [[p] for p in real[1::2]]:  # its code is long
        both = on_numbers(joined(some))
        assert both
        for program, ours, theirs in zip(some, *both, strict=True):
            assert same(ours, theirs), program.module


NARROW = [type.name for type in ELEMENT_TYPES.values() if type.kind == "float" and type.name != "f64"]


@pytest.mark.slow("numba compiles much code")
@pytest.mark.parametrize("name", NARROW)
def test_floats_are_rounded_as_on_arrays(name: str) -> None:
    """Round f64 and f32 that are midway between two numbers, next to that, at both ends, and subnormal."""
    type = ELEMENT_TYPES[name]
    rng = np.random.default_rng(1)
    drawn = rng.standard_normal(4000) * 2.0 ** rng.integers(-160, 140, 4000)
    with np.errstate(all="ignore"):
        close = NUMPY.round_to(drawn, type).astype(np.float64)
        close = close[np.isfinite(close)]
        middles = (close + NUMPY.round_to(close * (1 + 2.0**-type.mantissa), type)) / 2
        for dtype in (np.float64, np.float32):
            x = np.concatenate([FLOATS, drawn, close, middles, np.nextafter(middles, 0)]).astype(dtype)
            combine = lambda xp, state, leaf: (xp.round_to(leaf[0], type),)
            expected = NUMPY.round_to(x, type)
            step = loops.record_step(NUMPY, combine, [expected.dtype], [x.dtype])
            (found,) = loops.Compiled(step)((np.zeros_like(expected),), [(x[None],)])
            assert same(found, expected)


def test_no_product_is_fused_with_a_sum() -> None:
    """The sum `a * b + c` has two roundings: neither loop has an instruction that rounds once."""
    combine = lambda xp, state, leaf: (xp.add(xp.multiply(leaf[0], leaf[1]), state[0]),)
    for dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        step = loops.record_step(NUMPY, combine, [dtype], [dtype, dtype])
        x = np.full((1, 100), 1 + np.finfo(dtype).eps, dtype)
        for columns in (1, 100):
            (found,) = loops.Compiled(step)((-np.ones(columns, dtype),), [(x[:, :columns], x[:, :columns])])
            assert (found == x[0, :columns] * x[0, :columns] - 1).all()
            loop = anew(loops.compile_loop(step.source(columns == 1), step.leaf, step.state))
            (assembly,) = loop.inspect_asm().values()  # type: ignore[attr-defined]
            assert "mul" in assembly
            assert not {"fmadd", "fmsub", "fnmadd", "fmla", "fmls"} & set(words(assembly))


def anew(function: Any) -> Any:
    """Return a function compiled again: what is read from a file has no assembly to look at."""
    copy = numba.njit(**importlib.import_module("interp.backends.compiling").OPTIONS)(function.py_func)
    copy.compile(function.signatures[0])
    return copy


def words(assembly: str) -> Iterator[str]:
    """Yield the instructions, without the prefix `v` and the suffix that names an order and a type."""
    for line in assembly.splitlines():
        if line.startswith(("\t", " ")) and line.strip():
            yield line.split()[0].removeprefix("v").rstrip("sdp").rstrip("0123456789")


def test_the_reader_of_assembly_finds_a_fused_instruction() -> None:
    assert "fmadd" in set(words("\tvfmadd213ss\t%xmm0, %xmm1, %xmm2\n"))


F32, BF16 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["bf16"]
SUMS = [(F32, F32), (BF16, F32), (make_quantized("i8", "f32", 0.3), make_quantized("i32", "f32", 0.31, 5))]


@pytest.mark.slow("numba compiles each", rows=4)
@pytest.mark.parametrize("shape", [(300, 1), (300, 40), (3, 1000), (1, 3), (0, 3), (4, 0)])
@pytest.mark.parametrize("dimension", [0, 1])
def test_loops_take_leaves_in_any_layout(shape: tuple[int, int], dimension: int, always: list[str]) -> None:
    rng = np.random.default_rng(3)
    for source, result in SUMS:
        program = module(reduce("add", source, result, shape, (dimension,)))
        numbers = rng.integers(-128, 128, shape).astype(np.float32)
        stored = NUMPY.encode(numbers, program.main.inputs[0].type.storage_type)
        in_both_ways(Program(program, (stored, stored.dtype.type(1))))
    assert always or 0 in shape


def test_blocks_and_windows_run_in_loops(always: list[str]) -> None:
    program = module(reduce("add", F32, F32, (7, 50), (0,)))
    x = np.random.default_rng(2).standard_normal((7, 50)).astype(np.float32)
    in_both_ways(Program(program, (x, np.float32(0.5))), "blocks(3)")
    assert len(always) == 2  # the blocks, and their results


def test_what_no_line_of_code_is_cannot_be_recorded() -> None:
    xp = Recording(NUMPY)
    x = Scalar(xp, np.float32, "x")
    for made in (
        lambda: xp.cumsum(x),
        lambda: bool(x),
        lambda: x.reshape(1),
        lambda: x[0],
        lambda: x.T,
        lambda: xp.add(x, np.ones(3)),
        lambda: xp.bitwise_and(x, x),
        lambda: x.astype(np.complex64),
        lambda: np.add(x, 1),
    ):
        with pytest.raises((Unrecordable, TypeError)):
            made()


def test_long_code_is_not_recorded() -> None:
    xp = Recording(NUMPY)
    x = Scalar(xp, np.float32, "x")
    for k in range(scalar_backend.MOST):
        x = x + float(k)
    with pytest.raises(Unrecordable, match="more than 500 lines"):
        x + 1.0


def test_short_folds_are_not_compiled_until_they_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "WORTH", 3 * 100 * (1 + loops.CALL))
    monkeypatch.setattr(loops, "NOTICED", 100 * (1 + loops.CALL))
    monkeypatch.setattr(loops, "work_done", loops.Counter())
    combine = lambda xp, state, leaf: (xp.add(state[0], leaf[0]),)
    asked = lambda n: loops.loop_of(NUMPY, combine, [np.dtype(np.float32)], [np.dtype(np.float32)], n, 1)
    assert [bool(asked(n)) for n in (99, 100, 99, 100, 99, 100, 99)] == [*[False] * 5, True, False]


WITHOUT = """
import sys
sys.modules["numba"] = None
import numpy as np, interp
from interp.backends import loops
loops.WORTH = loops.NOTICED = 0
program = interp.load(sys.argv[1])
print(interp.run(program, np.ones((4, 5), np.float32), np.float32(0))[0].storage.tolist())
"""


def test_without_numba_folds_run_in_numpy(tmp_path: object) -> None:
    file = f"{tmp_path}/sum.mlir"
    with open(file, "w") as written:
        written.write(repr(module(reduce("add", F32, F32, (4, 5), (0,)))))
    result = subprocess.run([sys.executable, "-c", WITHOUT, file], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[4.0, 4.0, 4.0, 4.0, 4.0]"


def test_numba_is_not_imported_for_small_folds() -> None:
    code = (
        "import sys, numpy as np, interp\n"
        "m = interp.load('testdata/programs/global_sum.current.mlirbc')\n"
        "interp.run(m, *[np.zeros(v.type.shape, v.type.storage_type.numpy) for v in m.main.inputs])\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


COUNTED = [
    ("i8", "i8", 3),
    ("i8", "i32", 123_456_789),
    ("i8", "i32", 2**31 - 500),
    ("u8", "u8", 0),
    ("i8", "i16", -32_000),
]


@pytest.mark.parametrize(
    ("expressed", "narrow", "wide", "init"),
    [
        *(("f32", *types) for types in COUNTED[:2]),
        *(
            pytest.param(expressed, *types, marks=pytest.mark.slow("numba compiles much code"))
            for expressed, rows in (("f32", COUNTED[2:]), ("bf16", COUNTED[:1]))
            for types in rows
        ),
    ],
)
def test_counted_events_are_those_of_the_nodes(
    expressed: str, narrow: str, wide: str, init: int, always: list[str]
) -> None:
    """Compare number, first and worst, with their operands, of sums that saturate or that f32 rounds."""
    rng, traces = np.random.default_rng(8), []
    source, result = make_quantized(narrow, expressed, 0.3), make_quantized(wide, expressed, 0.3)
    for shape, dimensions in (((40, 7), (0,)), ((40, 7), (1,)), ((5, 9, 6), (0, 2)), ((300,), (0,))):
        program = module(reduce("add", source, result, shape, dimensions, init=result))
        x = rng.integers(source.storage_min, source.storage_max, shape).astype(source.storage_type.numpy)
        args = x, np.asarray(init, result.storage_type.numpy)
        counted = trace(program, *args)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loops, "NOTICED", 1 << 62)
            seen = trace(program, *args)
        assert repr(counted) == repr(seen)
        assert repr(counted.events) == repr(seen.events)
        assert repr(counted.summary()) == repr(seen.summary())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loops, "LOOKED_AT", 0)
            patch.setattr(loops, "LEAST_LEAVES", 3)
            assert repr(trace(program, *args).summary()) == repr(seen.summary())
        traces.append(counted)
    assert always
    assert any(t.has("saturate", "inexact") for t in traces)


def test_differences_of_sums_that_wrap_are_right(always: list[str]) -> None:
    """Sums of 32 bits saturate at both ends, by up to 2^31; f32 rounds the others."""
    type, rng = make_quantized("i32", "f32", 0.3), np.random.default_rng(9)
    program = module(reduce("add", type, type, (60, 5), (0,), init=type))
    ends = np.array([-(2**31), 2**31 - 1, -(2**31), 2**30 + 1, -5, 0, 7])
    for draw in (lambda: rng.choice(ends, (60, 5)), lambda: np.full((60, 5), -(2**31))):
        args = draw().astype(np.int32), np.int32(0)
        counted = trace(program, *args)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loops, "NOTICED", 1 << 62)
            seen = trace(program, *args)
        assert counted.has("saturate")
        assert repr(counted.summary()) == repr(seen.summary())
    assert always


def test_events_to_be_kept_are_seen_one_by_one(always: list[str]) -> None:
    program = module(
        reduce("add", make_quantized("i8", "f32", 0.3), make_quantized("i8", "f32", 0.3), (9,), (0,))
    )
    assert len(trace(program, np.full(9, 100, np.int8), np.int8(0), keep=5).kept) == 5
    assert not always


def test_a_plan_names_the_loop_of_many_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "WORTH", 4 * 9)
    for program in (windowed("8xf32", (4,)), scattered("8xf32", (4,))):
        (row,) = plan(program).rows
        assert [theorem for theorem, _ in row.tried] == [
            "compiled loop, if the body can be recorded",
            "plain fold",
        ]


def test_a_plan_names_the_loop_of_a_long_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    program = module(reduce("add", F32, F32, (300, 2), (0,)))
    assert repr(plan(program)).splitlines()[1].startswith("  plain fold: ")
    monkeypatch.setattr(loops, "WORTH", 300 * (2 + loops.CALL))
    monkeypatch.setattr(loops, "NOTICED", 0)
    first, second = repr(plan(program)).splitlines()[1:]
    assert first == (
        "  compiled loop, if the body can be recorded: 300 leaves of 2 results take longer than compiling"
    )
    assert second.startswith("  else plain fold: ")
    ran = repr(plan(program, np.ones((300, 2), np.float32), np.float32(0)))
    assert ran == "reduce %0\n  compiled loop: no theorem gives its bits with less work"
    narrow = module(
        reduce("add", make_quantized("i8", "f32", 0.3), make_quantized("i32", "f32", 0.3), (600, 1), (0,))
    )
    ran = repr(plan(narrow, np.full((600, 1), 100, np.int8), np.int8(0)))
    assert "compiled loop" not in ran  # integer addition by type
