"""Raw statistics, computed on the device that runs the program: ends, counts, squares and histograms.

One JAX function, compiled once, runs the observed program and reduces every value that it returns, so that
only the numbers of the statistics leave the device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from interp.apps.quantization.constants import CONSTANT
from interp.apps.quantization.constants import array as elements
from interp.apps.quantization.instrument import Observed
from interp.apps.quantization.kernels import is_float
from interp.engine.facts import STABLEHLO
from interp.engine.tensor import jax_dtype
from interp.execute.xla import callable_on_xla, on_platform
from spec.ir import Func, Module, Op

LARGE = 1 << 20  # bytes of a constant that becomes an argument
Array = Any
Columns = Callable[..., tuple[Array, ...]]  # the first six fields of `Raw`, for each column of an array


class Raw(NamedTuple):
    """Statistics of one sample, of the slices of all results one after another.

    count, nans, infinities: the number of finite numbers, and of others; the fields after them describe the
    finite ones. exponents, firsts, counts: their histogram, as in `Histogram`; empty without one.
    """

    count: Array
    nans: Array
    infinities: Array
    low: Array
    high: Array
    squares: Array
    exponents: Array
    firsts: Array
    counts: Array


class Compiled:
    """A function from a sample, on stored arrays, to its statistics, on JAX's default platform.

    bins: of histograms, if any. squares: whether to sum them. All numbers of a result are presumed finite,
    unless an infinite constant reaches it, until an end shows that they are not; from then on the program,
    which is compiled again for that, tells those of this result apart (`mixed`).
    """

    def __init__(self, seen: Observed, bins: int | None, squares: bool) -> None:
        import jax

        self.platform, self.parameters, self.sizes = jax.default_backend(), seen.program.main, _sizes(seen)
        self.bins, self.squares = bins, squares
        self.results = np.repeat(np.arange(len(self.sizes)), self.sizes)  # the result of every row of `Raw`
        with on_platform(self.platform, wide=True):
            program, self.weights = _with_weights_as_arguments(seen.program)
            self.run = callable_on_xla(program, platform=self.platform)
        self.mixed = perhaps_infinite(seen.program.main)
        self.program = self.reducing()

    def __call__(self, args: Sequence[np.ndarray]) -> Raw:
        given = [*_cast_arguments(self.parameters, args), *self.weights]
        while True:
            with on_platform(self.platform, wide=True):
                raw = Raw(*map(np.asarray, self.program(*given)))
            finite = np.isfinite(raw.low) & np.isfinite(raw.high)
            found = frozenset(self.results[~finite].tolist()) - self.mixed
            if not found:
                return raw
            self.mixed |= found
            self.program = self.reducing()

    def reducing(self) -> Callable[..., Raw]:
        """Return the program as a compiled function."""
        import jax

        functions = [_any_numbers if k in self.mixed else _finite for k in range(len(self.sizes))]
        ways = [partial(function, jax.numpy, self.squares) for function in functions]

        def reduce_results(*args: Array) -> Raw:
            values = jax.lax.optimization_barrier(self.run(*args))  # else XLA computes some again and again
            parts = zip(values, self.sizes, ways, strict=True)
            return _concatenate(
                jax, [_reduce(jax, x, slices, self.bins, count) for x, slices, count in parts]
            )

        return jax.jit(reduce_results)


def _cast_arguments(func: Func, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [x.astype(jax_dtype(v.type), copy=False) for x, v in zip(args, func.inputs, strict=True)]


def _with_weights_as_arguments(program: Module) -> tuple[Module, list[Array]]:
    """Return a program that takes its large constants as arguments after its own, and these on the device.

    XLA need not read them as text then, nor keep a copy of them in what it compiles.
    """
    import jax

    main = program.main
    moved = [op for op in main.body.ops if op.name == CONSTANT and is_float(op.result) and _is_large(op)]
    names = {op.result.name for op in moved}
    arguments = (*main.body.arguments, *(op.result for op in moved))
    ops = tuple(op for op in main.body.ops if not op.results or op.results[0].name not in names)
    func = replace(main, body=replace(main.body, arguments=arguments, ops=ops))
    weights = [jax.device_put(elements(op).astype(jax_dtype(op.result.type), copy=False)) for op in moved]
    return replace(program, functions={**program.functions, main.name: func}), weights


def _is_large(op: Op) -> bool:
    return len(op["value"].data) >= LARGE


def _sizes(seen: Observed) -> list[int]:
    """Return how many slices each result has."""
    of_keys = seen.slices
    results = {result: of_keys[key] for key, result in seen.sees}
    return [results[k] for k in range(len(results))]


def _concatenate(jax: Any, parts: Sequence[Raw]) -> Raw:
    """Return the statistics of all results as few arrays: each costs a transfer."""
    fields = zip(*parts, strict=True)
    return Raw(*(jax.numpy.concatenate(field) for field in fields))


def _reduce(jax: Any, x: Array, slices: int, bins: int | None, counted: Columns) -> Raw:
    """Return the statistics of a value whose last dimensions have `slices` slices."""
    x = x.astype(np.float64 if x.dtype == np.float64 else np.float32)
    rows = x.reshape(-1) if slices == 1 else x.reshape(-1, slices)
    count, nans, infinities, low, high, squares = (field.reshape(-1) for field in counted(rows))
    numbers = _histogram(jax, rows.reshape(-1, slices), low, high, bins) if bins else _none(jax.numpy, slices)
    ends = low.astype(np.float64), high.astype(np.float64)
    return Raw(count, nans, infinities, *ends, squares, *numbers)


def _finite(jnp: Any, squares: bool, rows: Array) -> tuple[Array, ...]:
    """Return the first six fields of `Raw` for finite numbers; with others, an end is not finite."""
    low = rows.min(0)
    full, none = jnp.full(low.shape, rows.shape[0], np.int64), jnp.zeros(low.shape, np.int64)
    return full, none, none, low, rows.max(0), _squares(jnp, rows, squares)


def _any_numbers(jnp: Any, squares: bool, rows: Array) -> tuple[Array, ...]:
    finite, nan = jnp.isfinite(rows), jnp.isnan(rows)
    ends = jnp.where(finite, rows, np.inf).min(0), jnp.where(finite, rows, -np.inf).max(0)
    count, nans = finite.sum(0, dtype=np.int64), nan.sum(0, dtype=np.int64)
    infinities = rows.shape[0] - count - nans
    return count, nans, infinities, *ends, _squares(jnp, jnp.where(finite, rows, 0), squares)


def _squares(jnp: Any, rows: Array, squares: bool) -> Array:
    return (rows.astype(np.float64) ** 2).sum(0) if squares else jnp.full(rows.shape[1:], np.nan)


def _none(jnp: Any, slices: int) -> tuple[Array, ...]:
    return jnp.zeros(slices, np.int32), jnp.zeros(slices, np.int32), jnp.zeros((slices, 0), np.int32)


def _histogram(jax: Any, rows: Array, low: Array, high: Array, bins: int) -> tuple[Array, ...]:
    """Return exponents, first bins and counts of the finite numbers of each column."""
    jnp = jax.numpy
    some = low <= high
    low, high = jnp.where(some, low, 0), jnp.where(some, high, 0)
    exponents = _exponents(jnp, low, high, bins)
    firsts = jnp.floor(low * _inverse(jax, exponents, low.dtype)).astype(np.int32)
    lasts = jnp.floor(high * _inverse(jax, exponents, low.dtype)).astype(np.int32)
    exponents = exponents + (lasts - firsts >= bins)  # rounding put the width next to a power of two
    inverse = _inverse(jax, exponents, low.dtype)
    firsts = jnp.floor(low * inverse).astype(np.int32)
    inside = jnp.isfinite(rows)
    index = jnp.floor(jnp.where(inside, rows, 0) * inverse).astype(np.int32) - firsts
    flat = jnp.where(
        inside, jnp.clip(index, 0, bins - 1) + bins * np.arange(rows.shape[1]), rows.shape[1] * bins
    )
    counts = jnp.zeros(rows.shape[1] * bins, np.int32).at[flat.reshape(-1)].add(1, mode="drop")
    return exponents, firsts, counts.reshape(-1, bins)


def _exponents(jnp: Any, low: Array, high: Array, bins: int) -> Array:
    """Return the exponents of `exponent_of`, in the type of the numbers."""
    most = jnp.maximum(jnp.abs(low), jnp.abs(high))
    span, reach = jnp.frexp((high - low) / (bins - 1))[1], jnp.frexp(most)[1] - 20
    found = jnp.maximum(jnp.where(low < high, span, -126), reach)
    return jnp.where(most > 0, jnp.maximum(found, -126), -126).astype(np.int32)


def _inverse(jax: Any, exponents: Array, dtype: Any) -> Array:
    """Return `2**-exponents`, exactly: its bits."""
    mantissa, bias, word = (52, 1023, np.int64) if dtype == np.float64 else (23, 127, np.int32)
    return jax.lax.bitcast_convert_type((bias - exponents.astype(word)) << mantissa, dtype)


# A guess at the values that hold infinities: those that an infinite constant, such as a mask's, reaches


# Operations whose result may be infinite because an operand is; `exponential` of it is zero, as a rule, and a
# reduction mostly has one finite number to choose.
PASSING = {
    f"stablehlo.{name}"
    for name, row in STABLEHLO.items()
    if ((row.exact or row.picks) and name != "clamp") or name in ("scatter", "sort")
}


def perhaps_infinite(func: Func) -> frozenset[int]:
    """Return, by number, the results of a function that an infinite constant reaches."""
    found: set[str] = set()
    for op in func.body.ops:
        if op.name == CONSTANT:
            reached = is_float(op.result) and _has_infinity(op)
        else:
            reached = op.name in PASSING and any(v.name in found for v in op.operands)
        if reached:
            found |= {v.name for v in op.results}
    returned = func.body.returns
    return frozenset(k for k, v in enumerate(returned) if v.name in found)


def _has_infinity(constant: Op) -> bool:
    data = elements(constant)
    if constant["value"].splat:
        data = data.reshape(-1)[:1]
    return bool(np.isinf(data if data.dtype == np.float64 else data.astype(np.float32)).any())
