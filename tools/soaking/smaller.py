"""A smaller program that fails in the same way: operands, sizes, types, and plain numbers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from interp.apps.suite import generate, shrink
from soaking.damage import Damaged
from soaking.drawing import REDUCTIONS, Trial
from soaking.outcome import Counts, Finding
from tests.library.strategies.programs import Program

PATIENCE = 20.0  # seconds
Check = Callable[[Trial, Counts], None]


def smallest(drawn: Trial, check: Check, finding: Finding) -> tuple[Program, Finding]:
    """Return the smallest program found with the same kind of finding, and what is found of it."""
    until = time.monotonic() + PATIENCE
    state = drawn.rng.getstate()
    found = finding

    def fails(program: Program) -> bool:
        nonlocal found
        drawn.rng.setstate(state)
        try:
            check(drawn._replace(program=program), Counts())
        except Finding as other:
            if other.kind == finding.kind:
                found = other
                return True
        except Exception:
            pass
        return False

    program = drawn.program
    if drawn.family in REDUCTIONS:
        small = shrink.shrink_program(
            generate.Program(drawn.op, program.args), lambda p: fails(Program(p.module, p.args)), until
        )
        program = Program(small.module, small.args)
    program = plainer(program, fails, until)
    fails(program)
    return program, found


def fewest(item: Damaged, check: Callable[..., None], rng: Random, finding: Finding) -> Damaged:
    """Return the damaged input with as many pieces left out as may be."""
    until, size = time.monotonic() + PATIENCE, len(item.data)

    def fails(data: bytes | str) -> bool:
        try:
            check(item._replace(data=data), rng, Counts())
        except Finding as other:
            return other.kind == finding.kind
        return False

    while size := size // 2:
        at = 0
        while at < len(item.data) and time.monotonic() < until:
            less = item.data[:at] + item.data[at + size :]
            if fails(less):
                item = item._replace(data=less)
            else:
                at += size
    return item


def plainer(program: Program, fails: Callable[[Program], bool], until: float) -> Program:
    """Return the program with zeros for as many elements as may be."""
    for args in list(_zeroed(program.args)):
        if time.monotonic() > until:
            break
        k, at = args
        x = program.args[k].copy()
        x.reshape(-1)[at] = np.zeros((), x.dtype)
        trial = Program(program.module, (*program.args[:k], x, *program.args[k + 1 :]))
        if not np.array_equal(x, program.args[k]) and fails(trial):
            program = trial
    return program


def _zeroed(args: tuple[np.ndarray, ...]) -> Iterator[tuple[int, slice]]:
    """Halves of an argument, then quarters, down to single elements."""
    for k, x in enumerate(args):
        size = x.size
        while size:
            for first in range(0, x.size, size):
                yield k, slice(first, first + size)
            size //= 2
