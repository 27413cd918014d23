"""JAX, with arrays that are carried through loops and branches beside the values of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from interp.backends.base import Array, Namespace, State
from interp.backends.jax_backend import OnJax, jax_namespace

PIECES = 64
PIECE = 1 << 16  # bytes; XLA copies fewer than 100 KiB at once, in the thread that asks for it


class Threaded(OnJax):
    """The JAX namespace with `carried`: arrays that whatever is traced may replace by others of their shape.

    A loop or a branch takes and returns them, so that they count what happens inside.
    """

    carried: State = ()

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        first = cond(state)

        def step(held: tuple[Array, State, State]) -> tuple[Array, State, State]:
            _, self.carried, state = held
            after = tuple(body(state))
            more = cond(after)  # may replace what is carried, too
            return more, self.carried, after

        _, self.carried, results = self.lax.while_loop(
            lambda held: held[0], step, (first, self.carried, tuple(state))
        )
        return tuple(results)

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        def carrying(branch: Callable[[], State]) -> Callable[[State], tuple[State, State]]:
            def run(carried: State) -> tuple[State, State]:
                self.carried = carried
                results = tuple(branch())
                return results, self.carried

            return run

        results, self.carried = self.lax.switch(index, [*map(carrying, branches)], self.carried)
        return tuple(results)

    def fori_loop(self, *bounds_step_and_state: Any, **options: Any) -> State:
        with self._nothing_carried():
            return super().fori_loop(*bounds_step_and_state, **options)

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        with self._nothing_carried():
            return super().per_element(f, arrays)

    @contextmanager
    def _nothing_carried(self) -> Iterator[None]:
        """Carry nothing through the body of a fold or of a map, whose operations are not heard one by one."""
        held, self.carried = self.carried, ()
        try:
            yield
        finally:
            self.carried = held


def threaded_namespace(carried: State) -> Namespace:
    """Return a new JAX namespace that carries these arrays."""
    known = jax_namespace()
    xp = Threaded(known.module)
    vars(xp).update({name: vars(known)[name] for name in ("jax", "lax", "native", "looks_up")})
    xp.carried = carried
    return xp


def counted_on_host(xp: Any, f: Callable[..., np.ndarray], shape: Sequence[int], arrays: State) -> Array:
    """Return what a pure function on the host gives for arrays: int64 of a shape.

    Numbers of 64 bits travel as pairs of 32, which JAX hands over whatever is set when it calls.
    """
    dtypes, words = [x.dtype for x in arrays], [_words(xp, x) for x in arrays]
    shapes = [x.shape for x in words]

    def on_host(*given: list[Any]) -> np.ndarray:
        whole = (_whole(x, shape) for x, shape in zip(given, shapes, strict=True))
        found = np.ascontiguousarray(f(*map(_join_words, whole, dtypes)), np.int64)
        return found.view(np.uint32).reshape(*found.shape, 2)

    result = xp.jax.ShapeDtypeStruct((*shape, 2), np.uint32)
    found = xp.jax.pure_callback(on_host, result, *map(_pieces, words), vmap_method="sequential")
    return xp.lax.bitcast_convert_type(found, np.int64)


def _pieces(x: Array) -> list[Array]:
    """Return an array as pieces that the thread of a callback copies itself.

    It waits for other threads to copy a larger array; where these are in callbacks, too, none goes on. An
    array of more than `PIECES` stays whole, since XLA takes long to compile so many.
    """
    most = PIECE // x.dtype.itemsize
    flat = x.reshape(-1)
    whole = x.size <= most or x.size > PIECES * most
    return [x] if whole else [flat[k : k + most] for k in range(0, x.size, most)]


def _whole(pieces: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    return np.concatenate([np.asarray(x).reshape(-1) for x in pieces]).reshape(shape)


def _words(xp: Any, x: Array) -> Array:
    """Return numbers of 64 bits as words of 32, along a new last axis; others unchanged."""
    if x.dtype.kind == "c" and x.dtype.itemsize == 16:
        parts = xp.stack([xp.real(x), xp.imag(x)], axis=-1)
        return xp.lax.bitcast_convert_type(parts, np.uint32).reshape(*x.shape, 4)
    return xp.lax.bitcast_convert_type(x, np.uint32) if x.dtype.itemsize == 8 and x.dtype.kind != "c" else x


def _join_words(words: np.ndarray, dtype: np.dtype) -> np.ndarray:
    if words.dtype == dtype:
        return words
    return np.asarray(np.ascontiguousarray(words).view(dtype)[..., 0])
