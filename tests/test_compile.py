"""`compile` against `run`, bit for bit, over random programs: one set of kernels, two array namespaces."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from interp.compile import compile
from interp.evaluate import Listener, Place
from interp.run import run
from spec.errors import Unsupported
from spec.ir import Op
from tests.op_programs import FAMILIES
from tests.programs import PROGRAMS, Program
from tests.test_engine import RANDOM, _examples, same

SCHEDULES = st.sampled_from(["left", "balanced"])
LEAST_NORMAL = 2.0**-1022


class MeetsSubnormal(Listener):
    """Whether any f64 on the way is subnormal: XLA flushes those, a row of `interp.agreement.AGREEMENT`."""

    met = False

    def look(self, *arrays: np.ndarray) -> None:
        for x in map(np.asarray, arrays):
            if x.dtype == np.float64:
                self.met |= bool(((np.abs(x) < LEAST_NORMAL) & (x != 0)).any())

    def on_op(self, op: Op, operands: tuple, results: tuple, place: Place | None) -> None:
        self.look(*operands, *results)

    def on_node(self, place: Place, lhs: tuple, rhs: tuple, results: tuple) -> None:
        self.look(*lhs, *rhs, *results)


def agree(program: Program, tree: str) -> None:
    watch = MeetsSubnormal()
    eager = run(program.module, *program.args, schedule=tree, listeners=[watch])
    assume(not watch.met)
    compiled = compile(program.module, schedule=tree)(*program.args)
    for ours, theirs in zip(eager, compiled, strict=True):
        note(f"eager    {ours.storage!r}\ncompiled {theirs!r}")
        assert same(ours.storage, np.asarray(theirs))


@settings(RANDOM, max_examples=200)
@given(PROGRAMS, SCHEDULES)
def test_compiled_reductions_equal_eager(program: Program, tree: str) -> None:
    agree(program, tree)


@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_ops_equal_eager(family: str) -> None:
    @settings(RANDOM, max_examples=60)
    @given(FAMILIES[family], SCHEDULES)
    def check(program: Program, tree: str) -> None:
        agree(program, tree)

    check()


def test_compiled_function_is_a_jax_function() -> None:
    """It can be jitted again, vmapped and exported, with 64-bit types off outside."""
    first, second = _examples(2)
    f = compile(first.module)
    expected = [run(p.module, *p.args)[0].storage for p in (first, second)]
    assert np.array_equal(jax.jit(f)(*first.args)[0], expected[0])
    batch = [np.stack(pair) for pair in zip(first.args, second.args, strict=True)]
    assert np.array_equal(jax.vmap(f)(*batch)[0], np.stack(expected))
    exported = jax.export.export(jax.jit(f))(*first.args)
    assert "!quant" not in exported.mlir_module()
    assert np.array_equal(exported.call(*first.args)[0], expected[0])


def test_random_trees_are_eager_only() -> None:
    with pytest.raises(Unsupported, match=r"random\(3\)"):
        compile(_examples(1)[0].module, schedule="random(3)")
