"""Random chains of plain operations whose sizes sweep the thresholds of kernels, from a seed.

Fast libraries choose another kernel from certain sizes, ranks and layouts on, and that is where they are
wrong. A chain multiplies by matrices, combines elements, transposes and reduces; a dimension is small, or
lies at a power of two, beside one, or between two, up to 10^5; ranks go to 8, and dimensions of 1 are common.
Arguments are whole numbers from -8 to 8, so that most results are exact in any order; `judge` takes the bound
of the float program where they are not. A seed gives the same chain everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf, prod
from random import Random
from typing import NamedTuple

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.comparison.witness import arrays, compare_with_witness, evaluate
from interp.engine.bodies import body_of
from spec.attributes import Dense
from spec.ir import Func, Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, TensorType

ELEMENTS = ("f32",) * 6 + ("f64", "i32")
RANKS = (1, 3, 4, 5, 6, 6, 7, 7, 8, 8)
SMALL = (1, 2, 3, 4)
LARGEST = 100_000  # elements along a dimension
MOST = 200_000  # elements of a value
WORK = 1 << 22  # products of a contraction
UNARY = ("negate", "abs")
BINARY = ("multiply", "multiply", "add", "subtract", "maximum")
REDUCING = {"reduce add": "add", "reduce maximum": "maximum"}


class Step(NamedTuple):
    """An operation on the value so far.

    `dot`: numbers (d, m, first) contract dimension d with a new matrix of m rows, which is the left operand
    if `first`. `multiply` and the like: with a new argument, or with the value itself if numbers are (1,).
    `reduce add`: over the dimensions `numbers`. `transpose`: numbers are the permutation.
    """

    kind: str
    numbers: tuple[int, ...] = ()


class Chain(NamedTuple):
    """Steps from an argument of a shape; `edges` says in words at which sizes a failure begins."""

    element: str
    shape: tuple[int, ...]
    steps: tuple[Step, ...]
    edges: tuple[str, ...] = ()

    @property
    def module(self) -> Module:
        return writer(self).module

    @property
    def args(self) -> tuple[np.ndarray, ...]:
        return tuple(writer(self).args)


def numbers(shape: Sequence[int], element: str, k: int) -> np.ndarray:
    """Return whole numbers from -8 to 8 in no visible order, those of argument k of a chain."""
    index = np.arange(prod(shape), dtype=np.uint64) + np.uint64(1_000_003 * k)
    mixed = (index * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    signed = (mixed % np.uint64(17)).astype(np.int64) - 8
    return signed.astype(numpy_dtype(ELEMENT_TYPES[element])).reshape(tuple(shape))


def chain(seed: int) -> Chain:
    """Return a chain on rows of few numbers, or on many dimensions; it mostly ends in a reduction."""
    rng = Random(seed)
    steps: list[Step] = []
    shape = start = rng.choice((rows, rows, ranks))(rng)
    ways = [rng.choice(("dot",) * 7 + ("binary",) if len(shape) < 4 else ("dot",) + ("binary",) * 7)]
    ways += rng.choices(("unary", "self", "binary", "transpose", "dot"), k=rng.choice((0, 0, 0, 1, 2)))
    ways += rng.choices(("reduce", "unary"), (9, 1))
    for way in ways:
        if shape:
            steps.append(step(rng, shape, way))
            shape = shape_after(shape, steps[-1])
    return Chain(rng.choice(ELEMENTS), start, tuple(steps))


def rows(rng: Random) -> tuple[int, ...]:
    """Return a shape of one or two small dimensions and a large one."""
    shape = [rng.choice(SMALL) for _ in range(rng.choice((1, 1, 1, 1, 1, 2)))]
    shape.insert(rng.choice((0, 0, 0, 1)), min(threshold(rng), MOST // prod(shape)))
    return tuple(shape)


def ranks(rng: Random) -> tuple[int, ...]:
    """Return a shape of up to eight dimensions, of which one or two may be large."""
    shape = [rng.choice(SMALL) for _ in range(rng.choice(RANKS))]
    for _ in range(rng.choice((0, 1, 1, 2))):
        d = rng.randrange(len(shape))
        shape[d] = max(1, min(threshold(rng), MOST * shape[d] // prod(shape)))
    return tuple(shape)


def threshold(rng: Random) -> int:
    """Return a power of two, its neighbour, a power of ten, or a number between two powers of two."""
    power = 2 ** rng.choice((6, 8, 10, 11, 12, 13, 14, 14, 15, 15, 16, 16))
    between = rng.randint(power, 2 * power)
    size = rng.choice((power - 1, power, power + 1, between, between, between, 10 ** rng.randint(2, 5)))
    return min(size, LARGEST)


def step(rng: Random, shape: tuple[int, ...], way: str) -> Step:
    smallest = min(range(len(shape)), key=lambda d: shape[d])
    d = smallest if len(shape) < 4 and rng.random() < 0.7 else rng.randrange(len(shape))
    if way == "dot":
        d = d if shape[d] <= 1000 else smallest
        m = min(rng.choice(SMALL), max(1, MOST * shape[d] // prod(shape)), max(1, WORK // prod(shape)))
        return Step("dot", (d, m, rng.randrange(2)))
    if way == "reduce":
        others = rng.sample(
            range(len(shape)), rng.choice((0, 0, 0, 1, len(shape) - 1)) if len(shape) > 1 else 0
        )
        dims = tuple(sorted({d, *others}))
        return Step(rng.choice(("reduce add", "reduce add", "reduce maximum")), dims)
    if way == "transpose":
        return Step("transpose", tuple(rng.sample(range(len(shape)), len(shape))))
    if way == "unary":
        return Step(rng.choice(UNARY))
    return Step(rng.choice(BINARY), (int(way == "self"),))


def shape_after(shape: tuple[int, ...], step: Step) -> tuple[int, ...]:
    """Return the shape of a step's result, or raise ValueError if the step does not fit."""
    if step.kind == "dot":
        d, m, first = step.numbers
        if d >= len(shape):
            raise ValueError(step)
        rest = (*shape[:d], *shape[d + 1 :])
        return (m, *rest) if first else (*rest, m)
    if step.kind in REDUCING:
        if any(d >= len(shape) for d in step.numbers):
            raise ValueError(step)
        return tuple(n for d, n in enumerate(shape) if d not in step.numbers)
    if step.kind == "transpose":
        if sorted(step.numbers) != list(range(len(shape))):
            raise ValueError(step)
        return tuple(shape[d] for d in step.numbers)
    return shape


class Writer:
    """A chain as a module, and the same in NumPy: `expected` has its results in f64 or i64."""

    def __init__(self, chain: Chain) -> None:
        self.element = ELEMENT_TYPES[chain.element]
        self.inputs: list[Value] = []
        self.args: list[np.ndarray] = []
        self.ops: list[Op] = []
        value, exact = self.argument(chain.shape)
        for step in chain.steps:
            value, exact = self.write(step, value, exact)
        self.expected = exact
        body = Region(tuple(self.inputs), (*self.ops, Op("func.return", (value,), ())))
        self.module = Module({"main": Func("main", body, (value.type,))})

    def argument(self, shape: Sequence[int]) -> tuple[Value, np.ndarray]:
        k = len(self.inputs)
        value = Value(f"%x{k}", TensorType(tuple(shape), self.element))
        self.inputs.append(value)
        self.args.append(numbers(shape, self.element.name, k))
        return value, self.args[k].astype(np.float64 if self.element.kind == "float" else np.int64)

    def write(self, step: Step, x: Value, exact: np.ndarray) -> tuple[Value, np.ndarray]:
        shape = shape_after(x.type.shape, step)
        if step.kind == "dot":
            d, m, first = step.numbers
            y, theirs = self.argument((m, x.type.shape[d]))
            pair = ((y, 1), (x, d)) if first else ((x, d), (y, 1))
            product = np.tensordot(theirs, exact, (1, d)) if first else np.tensordot(exact, theirs, (d, 1))
            names = ("lhs_contracting_dimensions", "rhs_contracting_dimensions")
            attributes: dict[str, tuple[int, ...]] = {
                name: (at,) for name, (_, at) in zip(names, pair, strict=True)
            }
            attributes |= {"lhs_batching_dimensions": (), "rhs_batching_dimensions": ()}
            operands = tuple(value for value, _ in pair)
            return self.add(Op("stablehlo.dot_general", operands, (), attributes), shape), product
        if step.kind in REDUCING:
            return self.reduce(step, x, shape), getattr(exact, REDUCED[step.kind])(axis=step.numbers)
        if step.kind == "transpose":
            op = Op("stablehlo.transpose", (x,), (), {"permutation": step.numbers})
            return self.add(op, shape), exact.transpose(step.numbers)
        if step.kind in UNARY:
            return self.add(Op(f"stablehlo.{step.kind}", (x,), ()), shape), NUMPY[step.kind](exact)
        y, theirs = (x, exact) if step.numbers == (1,) else self.argument(shape)
        return self.add(Op(f"stablehlo.{step.kind}", (x, y), ()), shape), NUMPY[step.kind](exact, theirs)

    def reduce(self, step: Step, x: Value, shape: tuple[int, ...]) -> Value:
        combine, scalar = REDUCING[step.kind], TensorType((), self.element)
        least = -np.inf if self.element.kind == "float" else np.iinfo(np.int32).min
        start = np.asarray(0 if combine == "add" else least, numpy_dtype(self.element))
        constant = Dense(scalar, start.tobytes())
        init = self.add(Op("stablehlo.constant", (), (), {"value": constant}), ())
        body = body_of(f"stablehlo.{combine}", scalar)
        return self.add(Op("stablehlo.reduce", (x, init), (), {"dimensions": step.numbers}, (body,)), shape)

    def add(self, op: Op, shape: tuple[int, ...]) -> Value:
        result = Value(f"%{len(self.ops)}", TensorType(shape, self.element))
        self.ops.append(replace(op, results=(result,)))
        return result


@lru_cache(maxsize=4)
def writer(chain: Chain) -> Writer:
    """Return the module, the arguments and the expected result of a chain."""
    return Writer(chain)


NUMPY = {
    "negate": np.negative,
    "abs": np.abs,
    "multiply": np.multiply,
    "add": np.add,
    "subtract": np.subtract,
    "maximum": np.maximum,
}
REDUCED = {"reduce add": "sum", "reduce maximum": "max"}


def judge(trial: Chain, results: Sequence[np.ndarray]) -> tuple[str, str]:
    """Return the verdict on results of a chain, exact, unknown or wrong, and its reason.

    Results that equal NumPy's in f64 or i64 are exact. Others are wrong beyond the bound on every order of
    the sums (see `comparison.witness`), else unknown.
    """
    known = writer(trial)
    (type,) = known.module.main.results
    (result,) = (np.asarray(x) for x in results)
    if result.shape == known.expected.shape and np.array_equal(result, known.expected):
        return "exact", ""
    if result.shape != type.shape:
        return "wrong", f"expected the shape {type.shape}, got {result.shape}"
    own = evaluate(known.module, known.args)
    doubt = compare_with_witness(type, result, arrays([type], own)[0], own[0])
    if doubt.beyond:
        return "wrong", str(doubt).replace("XLA's result", "a result")
    return "unknown", "within the bound on every order of the sums" if doubt.bounded else "no bound"


# Shrinking of chains: fewer steps, then the least sizes, down to the threshold at which a failure begins


Place = tuple[int, int]  # (-1, d) is dimension d of the start; (k, 0) the rows of the matrix of step k


def shrunk_chain(chain: Chain, fails: Callable[[Chain], bool], until: float = inf) -> Chain:
    """Return a chain with fewer steps and sizes that `fails` as `chain` does; `edges` says from where on.

    Each size is halved between one that passes and one that fails until they are neighbours: there may be
    others below. `until` is a time of `time.monotonic`.
    """
    search = Search(fails, until)
    while smaller := next(filter(search.fails, without_a_step(chain)), None):
        chain = smaller
    edges = []
    for place in sorted(places(chain), key=lambda place: -size(chain, place)):
        passes, fails_at = search.least(chain, place)
        chain = with_size(chain, place, fails_at)
        if passes and not search.is_over:
            edges.append(f"{describe_place(place)}: fails from {fails_at:,} on, not at {passes:,}")
    return chain._replace(edges=tuple(edges))


@dataclass
class Search:
    """Trials until a time; what was tried is not tried again."""

    fail: Callable[[Chain], bool]
    until: float
    known: dict[Chain, bool] = field(default_factory=dict)

    def fails(self, chain: Chain) -> bool:
        """Return whether a chain fails; no longer tried after the time, and then False."""
        if chain not in self.known:
            if self.is_over:
                return False
            self.known[chain] = self.fail(chain)
        return self.known[chain]

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.until

    def least(self, chain: Chain, place: Place) -> tuple[int, int]:
        """Return a size that passes, 0 if 1 fails, and the next one, which fails, or the least until then."""
        low, high = 0, size(chain, place)
        if high > 1 and not self.fails(with_size(chain, place, 1)):
            low = 1
        else:
            high = 1
        while high - low > 1 and not self.is_over:
            middle = (low + high) // 2
            low, high = (low, middle) if self.fails(with_size(chain, place, middle)) else (middle, high)
        return low, high


def without_a_step(chain: Chain) -> Iterator[Chain]:
    """Yield the chain without one of its steps, where the others still fit."""
    for k in range(len(chain.steps)):
        smaller = chain._replace(steps=(*chain.steps[:k], *chain.steps[k + 1 :]))
        if smaller.steps and fits(smaller):
            yield smaller


def fits(chain: Chain) -> bool:
    """Return whether every step applies to the result of the one before."""
    shape = chain.shape
    try:
        for step in chain.steps:
            shape = shape_after(shape, step)
    except ValueError:
        return False
    return True


def places(chain: Chain) -> Iterator[Place]:
    yield from ((-1, d) for d in range(len(chain.shape)))
    yield from ((k, 0) for k, step in enumerate(chain.steps) if step.kind == "dot")


def size(chain: Chain, place: Place) -> int:
    k, d = place
    return chain.shape[d] if k < 0 else chain.steps[k].numbers[1]


def with_size(chain: Chain, place: Place, size: int) -> Chain:
    """Return the chain with another size in one place."""
    k, d = place
    if k < 0:
        return chain._replace(shape=(*chain.shape[:d], size, *chain.shape[d + 1 :]))
    at, _, first = chain.steps[k].numbers
    step = chain.steps[k]._replace(numbers=(at, size, first))
    return chain._replace(steps=(*chain.steps[:k], step, *chain.steps[k + 1 :]))


def describe_place(place: Place) -> str:
    k, d = place
    return f"dimension {d} of %x0" if k < 0 else f"rows of the matrix of step {k}"
