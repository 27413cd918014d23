"""Chains of elementwise operations that a compiled program calls: the bits of the operations one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends.functions import rounded_to_odd
from interp.backends.jax_backend import jax_namespace
from interp.engine.evaluate import Listener
from interp.speed import jax_chains, jax_native
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from tests.library.strategies.programs import Program
from tests.library.strategies.taped_programs import SPECIAL, Chain, numbers, taped
from tests.test_engine import oracle_tensor, stored

jax = pytest.importorskip("jax")
pytest.importorskip("llvmlite", reason="it has no wheel here")
chain_code = pytest.importorskip("interp.speed.chain_code")
CALL = "interp_chain_"


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Call compiled code for small arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jax_chains, "MANY", 1)
        patch.setattr(jax_native, "MANY", 1)
        yield


def bits(results: Any) -> list[bytes]:
    return [np.ascontiguousarray(getattr(x, "storage", x)).tobytes() for x in results]


def compiled_text(module: Module, *args: Any) -> str:
    return jax.jit(interp.compile(module)).lower(*args).compile().as_text()


def has_the_bits_of_steps(module: Module, *args: Any) -> None:
    """A listener that sees nodes has every operation run as it is written."""
    expected = bits(interp.run(module, *args, listeners=[Listener()]))
    assert bits(interp.compile(module)(*args)) == expected


def loaded(arguments: str, result: str, *lines: str) -> Module:
    """`main` of arguments; the last line defines %y, the result."""
    body = "\n  ".join(lines)
    return interp.load(f"func.func @main({arguments}) -> {result} {{\n  {body}\n  return %y : {result}\n}}")


def test_xla_calls_compiled_code_here() -> None:
    """The other tests of this file would pass without it, too."""
    assert jax_chains.works(jax_namespace())


STEPS: list[Callable[..., None]] = [Chain.elementwise, Chain.unary, Chain.bias, Chain.clamp, Chain.reduce]


@pytest.mark.slow("XLA compiles each", rows=5)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@settings(max_examples=4)
@given(data=st.data())
def test_a_chain_has_the_bits_of_the_steps(step: Callable[..., None], data: st.DataObject) -> None:
    """Values are used again and again, moved, reduced and multiplied between them."""
    program: Program = data.draw(taped(step))
    has_the_bits_of_steps(program.module, *program.args)
