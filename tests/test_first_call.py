"""Work that a first call of a compiled program can spare: to compile and trace the same again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

import interp
from interp.backends import Array, Namespace
from interp.backends.jax_backend import jax_namespace
from spec.errors import Malformed
from tests.library.builders import chained


def test_equal_computations_are_traced_once() -> None:
    """For each shape and each value that is known, in every program."""
    xp, met = jax_namespace(), []

    def times(xp: Namespace, x: Array, by: int) -> Array:
        met.append((x.shape, by))
        return x * by

    def f(x: Array) -> Array:
        return xp.traced_once(times, by=2)(x) + xp.traced_once(times, by=2)(x[:2]).sum()

    for _ in range(2):
        assert jax.jit(lambda x: f(f(x)))(jnp.int32([1, 2, 3])).tolist() == [52, 56, 60]
    assert met == [((3,), 2), ((2,), 2)]


def test_the_range_of_arguments_needs_no_compiler(caplog: pytest.LogCaptureFixture) -> None:
    """XLA would compile a minimum and a maximum for each shape of a network's weights."""
    add = chained("x: 3x!quant.uniform<i8<-100:100>:f32, 0.5>", "add x x")
    x, beyond = jnp.int8([1, 2, 3]), jnp.int8([1, 2, -101])
    with jax.log_compiles():
        assert interp.compile(add)(x)[0].tolist() == [2, 4, 6]
        with pytest.raises(Malformed, match="out of the range"):
            interp.compile(add)(beyond)
    assert [r.args[0] for r in caplog.records if r.msg.startswith("Compiling")] == ["jit(main)"]
