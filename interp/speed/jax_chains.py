"""Chains of elementwise operations on f32 under XLA: one call of machine code, on a CPU of this process.

XLA's own f32 flushes subnormal numbers and may fuse a product with a sum, so that each operation would be
computed in f64 and rounded by a dozen instructions. Here the result of an elementwise operation is kept as a
chain, from the arrays that it begins with, and becomes a call when its stored elements are asked for. What is
traced in f64 beside it is then not used, and removed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from interp.backends import Array, Namespace
from interp.backends.platforms import Spread, is_divided, on_cpu, register, tracing, try_handler
from spec.elements import ELEMENT_TYPES
from spec.ir import Op

if TYPE_CHECKING:
    from interp.speed.chain_code import Chain

F32, BOOLEAN = ELEMENT_TYPES["f32"], ELEMENT_TYPES["i1"]
MANY = 1 << 10  # elements, below which XLA's own code is as fast as a call
STEPS = 48  # of a chain at most; what is longer begins with a stored array
COMPUTED = (
    *(
        "abs",
        "add",
        "ceil",
        "clamp",
        "divide",
        "exponential",
        "floor",
        "logistic",
        "maximum",
        "minimum",
        "multiply",
    ),
    *("negate", "round_nearest_even", "rsqrt", "select", "sqrt", "subtract", "tanh"),
)

Function = Callable[..., Array]


def keep_chain(xp: Namespace, op: Op, function: Function) -> Function:
    """Return an elementwise function whose results are known as chains, where machine code computes them."""
    name = name_of(op)
    if not xp.chains or name is None:
        return function
    shape, types = tuple(op.result.type.shape), [value.type for value in op.operands]

    def apply(*operands: Array) -> Array:
        result, pairs = function(*operands), list(zip(operands, types, strict=True))
        if any(x.shape != tuple(type.shape) for x, type in pairs) or any(map(is_divided, operands)):
            return result  # of a body on whole batches, or of several devices
        kept = tuple(Operand(x, xp.maker(x), type.element_type == BOOLEAN) for x, type in pairs)
        return xp.keep_stored(result, Link(xp, name, function, kept, shape))

    return apply


def name_of(op: Op) -> str | None:
    """Return the name of an operation of f32 that machine code computes, or None."""
    name, type = op.name.removeprefix("stablehlo."), op.operands[-1].type.element_type
    if type != F32 or any(v.type.element_type not in (F32, BOOLEAN) for v in op.operands):
        return None
    if name == "compare":
        total = op.attributes.get("compare_type") == "TOTALORDER"
        return None if total else f"compare_{op['comparison_direction']}"
    return name if name in COMPUTED else None


class Operand(NamedTuple):
    """An operand: in its carrier, and what makes its stored elements, if something is known to."""

    carried: Array
    stored: Callable[[], Array | None] | None
    is_boolean: bool


class Link:
    """Maker of the stored result of an elementwise operation on f32, with those that it depends on.

    It makes None where XLA had better compute it, and of a comparison, which is no number.
    """

    def __init__(
        self,
        xp: Namespace,
        name: str,
        function: Function,
        operands: Sequence[Operand],
        shape: tuple[int, ...],
    ) -> None:
        self.xp, self.name, self.function, self.operands, self.shape = xp, name, function, operands, shape
        self.known: tuple[object, Array] | None = (
            None  # the trace that has the result, which no other may use
        )
        inner = [x.stored for x in operands if isinstance(x.stored, Link)]
        self.steps: int = 1 + sum(link.steps for link in inner if link.steps <= STEPS)

    def is_part(self, shape: Sequence[int]) -> bool:
        """Return whether a chain of this shape computes the result, and does not begin with it."""
        is_known = self.known is not None and self.known[0] == tracing()
        return self.shape == shape and self.steps <= STEPS and not is_known

    def __call__(self) -> Array | None:
        if self.name.startswith("compare") or prod(self.shape) < MANY or not works(self.xp):
            return None
        if self.known is None or self.known[0] != tracing():
            self.known = tracing(), Writing(self.xp, self.shape).result(self)
        return self.known[1]


class Writing:
    """A chain that is being written: the arrays that it begins with, and its steps."""

    def __init__(self, xp: Namespace, shape: tuple[int, ...]) -> None:
        self.xp, self.shape = xp, shape
        self.arrays: list[Array] = []
        self.are_boolean: list[bool] = []
        self.steps: list[tuple[str, Function, list[tuple[bool, int]]]] = []
        self.numbers: dict[int, tuple[bool, int]] = {}  # of leaves and, as true, of steps; by identity

    def step(self, link: Link) -> tuple[bool, int]:
        if id(link) not in self.numbers:
            operands = [self.value(x) for x in link.operands]
            self.steps.append((link.name, link.function, operands))
            self.numbers[id(link)] = True, len(self.steps) - 1
        return self.numbers[id(link)]

    def value(self, x: Operand) -> tuple[bool, int]:
        if isinstance(x.stored, Link) and x.stored.is_part(self.shape):
            return self.step(x.stored)
        key = id(x.carried)
        if key not in self.numbers:
            self.arrays.append(_array(self.xp, x, len(self.shape)))
            self.are_boolean.append(x.is_boolean)
            self.numbers[key] = False, len(self.arrays) - 1
        return self.numbers[key]

    def result(self, link: Link) -> Array:
        """Return the stored result: by a call on a CPU, elsewhere computed as it is without chains."""
        xp, shape = self.xp, self.shape
        self.step(link)
        number = lambda is_step, k: k + len(self.arrays) * is_step
        steps = [(name, f, tuple(number(*x) for x in operands)) for name, f, operands in self.steps]
        are_boolean = self.are_boolean

        def elsewhere(*arrays: Array) -> Array:
            pairs = zip(arrays, are_boolean, strict=True)
            values = [
                xp.broadcast_to(x if is_boolean else xp.decode(x, F32), shape) for x, is_boolean in pairs
            ]
            for _, function, operands in steps:
                values.append(function(*(values[k] for k in operands)))
            return xp.encode(values[-1], F32)

        plain = [(name, operands) for name, _, operands in steps]
        here = lambda *arrays: call_handler(xp, shape, plain, are_boolean, arrays)
        return on_cpu(shape, np.float32, here, elsewhere, *self.arrays, divided=True)


def _array(xp: Namespace, x: Operand, rank: int) -> Array:
    """Return the stored elements of an operand, of size 1 along dimensions that only repeat them."""
    spread = x.stored if isinstance(x.stored, Spread) else None
    carried, make = (spread.carried, spread.stored) if spread else (x.carried, x.stored)
    stored = carried if x.is_boolean else make() if make else None
    if stored is None or (stored.dtype != np.float32 and not x.is_boolean):
        stored = xp.encode(carried, F32)
    stored = spread.place(xp, stored) if spread else stored
    return stored if stored.ndim == rank else stored.reshape((1,) * rank)


def call_handler(
    xp: Namespace,
    shape: tuple[int, ...],
    steps: Sequence[tuple[str, tuple[int, ...]]],
    are_boolean: Sequence[bool],
    arrays: Sequence[Array],
) -> Array:
    """Return the stored result of a chain by a call of machine code."""
    from interp.speed.chain_code import Chain, Leaf, Step, describe

    kinds = list(zip(arrays, are_boolean, strict=True))
    meta, repeated = describe(shape, [(x.shape, 1 if is_boolean else 4) for x, is_boolean in kinds])
    leaves = tuple(Leaf(*pair) for pair in zip(are_boolean, repeated, strict=True))
    chain = Chain(leaves, tuple(Step(*step) for step in steps))
    result = xp.jax.ShapeDtypeStruct(shape, np.float32)
    return xp.jax.ffi.ffi_call(register_handler(chain), result)(meta, *arrays)


@cache
def register_handler(chain: Chain) -> str:
    """Return the name by which XLA knows the handler of a chain."""
    from interp.speed.chain_code import handler

    target = f"interp_chain_{hashlib.sha256(repr(chain).encode()).hexdigest()[:16]}"
    register(target, handler(chain))
    return target


PROBE = np.array([[2.0**-149, -(2.0**-140), 1 + 2.0**-23], [3, np.inf, 0]], np.float32)


@cache
def works(xp: Namespace) -> bool:
    """Return whether LLVM is there, and XLA on a CPU calls its code, which keeps subnormal numbers."""
    if not find_spec("llvmlite"):
        return False
    steps = [("multiply", (0, 1)), ("subtract", (2, 0))]
    try:
        from interp.backends.machine_code import is_x86

        sides = PROBE, np.array([[1.5], [1 + 2.0**-23]], np.float32)
        call = lambda *sides: call_handler(xp, PROBE.shape, steps, [False, False], sides)
        found = try_handler(call, *sides) if is_x86() else None
    except (ImportError, AttributeError, RuntimeError, OSError):  # of another LLVM
        return False
    with np.errstate(invalid="ignore"):
        return found is not None and np.array_equal(found, PROBE * sides[1] - PROBE, equal_nan=True)
