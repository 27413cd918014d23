"""A third opinion on plain programs: StableHLO's reference interpreter, a left fold like our default."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from interp.execute.run import run
from spec.types import ElementType
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import Program, reduce_windows, reduces, select_and_scatters
from tests.test_engine import RANDOM, same


@pytest.fixture(scope="module")
def reference() -> Iterator[subprocess.Popen]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.library.children.reference_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        yield child
        child.stdin.close()


def ask(child: subprocess.Popen, program: Program) -> list[np.ndarray]:
    pickle.dump((repr(program.module), list(program.args)), child.stdin)
    child.stdin.flush()
    reply = pickle.load(child.stdout)
    assert not isinstance(reply, str), reply
    return reply


def plain_same_type(program: Program) -> bool:
    """No quantized types, one element type for inputs and accumulators, which NumPy can hand over."""
    op = program.module.main.body.ops[0]
    types = {v.type.element_type for v in (*op.operands, *op.results)}
    return len(types) == 1 and all(
        isinstance(t, ElementType) and t.bits >= 8 and t.name != "bf16" and t.kind != "complex" for t in types
    )


def with_identity_init(program: Program) -> Program | None:
    """The reference counts a scatter's init twice (E13), so there it must not count: add and 0, max, min."""
    op = program.module.main.body.ops[0]
    if op.name != "stablehlo.select_and_scatter":
        return program
    names = [inner.name for inner in op.regions[1].ops[:-1]]
    operand, source, init = program.args
    if names == ["stablehlo.add"]:
        return Program(program.module, (operand, source, np.zeros_like(init)))
    return program if names in (["stablehlo.maximum"], ["stablehlo.minimum"]) else None


def traps(program: Program) -> bool:
    """The reference divides integers as the processor does: not by 0, nor the least integer by -1."""
    if program.module.main.body.ops[0].name not in ("stablehlo.divide", "stablehlo.remainder"):
        return False
    _, divisor = program.args
    return divisor.dtype.kind in "iu" and bool(np.isin(divisor, (0, -1)).any())


REDUCTIONS = st.one_of(
    reduces().filter(plain_same_type),
    reduce_windows().filter(plain_same_type),
    select_and_scatters().filter(plain_same_type).map(with_identity_init).filter(bool),
)
MOVES = st.one_of(FAMILIES["structure"], FAMILIES["plain"]).filter(plain_same_type)


@pytest.mark.slow("runs the reference interpreter")
@settings(RANDOM)
@given(program=st.one_of(REDUCTIONS, MOVES))
def test_plain_programs_equal_the_reference(reference: subprocess.Popen, program: Program) -> None:
    op = program.module.main.body.ops[0]
    assume(all(v.type.size for v in (*op.operands, *op.results)))  # it cannot be given empty tensors
    assume(not traps(program))
    assume(op.attributes.get("mantissa_bits") != 0)  # other ties there (E26)
    ours = run(program.module, *program.args)
    theirs = ask(reference, program)
    for x, y in zip(ours, theirs, strict=True):
        note(f"engine    {x.storage!r}\nreference {y!r}")
        assert same(x.storage, y.astype(x.storage.dtype, copy=False))
