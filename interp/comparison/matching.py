"""Pairs of values of two programs that stand for the same number: by name, by location, or by structure.

Both programs are functions without calls. A landmark is a result of an operation that depends on the
arguments and is no conversion. Conversions (quantize, dequantize, convert) that a landmark goes through and
nothing else reads belong to it: what is compared is the value after them, which is what the rest of its
program sees. So a convolution in float stands beside a quantized one, and one followed by a pair of quantize
and dequantize beside one whose result is quantized.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from interp.comparison.alignment import common_subsequence
from interp.engine.facts import facts
from interp.events.event import short
from spec.fake_quant import FORMS
from spec.ir import Func, Op, Region, Value, captures
from spec.types import TensorType

NUMBERED = re.compile(r"(.*\.)?(cst|c|arg)?_?\d*(#\d+)?$")  # names that MLIR's printer gives


@dataclass(frozen=True, eq=False)
class Landmark:
    """A value of one program, and its index among the landmarks.

    `chain` begins with the value, and goes on with the results of the conversions that belong to it.
    """

    op: Op
    chain: Sequence[Value]
    index: int

    @property
    def value(self) -> Value:
        """The operation's result."""
        return self.chain[0]

    @property
    def settled(self) -> Value:
        """The value after the conversions."""
        return self.chain[-1]

    @property
    def stored(self) -> Value | None:
        """The last quantized value of the chain, if any."""
        quantized = (v for v in self.chain[::-1] if isinstance(v.type, TensorType) and v.type.is_quantized)
        return next(quantized, None)

    @property
    def signature(self) -> tuple[str, Any]:
        """The operation's name and the shape of the value."""
        return short(self.op), getattr(self.value.type, "shape", None)


@dataclass(frozen=True)
class Pair:
    """Two landmarks that stand for the same number, and how that was found."""

    left: Landmark
    right: Landmark
    how: str


class Landmarks:
    """The landmarks of a function without calls, in program order, and what each depends on.

    Sets of landmarks are integers: bit k stands for the landmark with index k.
    """

    def __init__(self, func: Func) -> None:
        self.users = _users(func.body)
        self.all: list[Landmark] = []
        self.nearest: list[int] = []  # what each reads, itself or through conversions
        self.ancestors: list[int] = []  # what each depends on
        self._sources = {v.name: 0 for v in func.inputs}
        self.arguments = [self._chain(value) for value in func.inputs]
        for op in func.body.ops[:-1]:
            self._add(op)

    def _add(self, op: Op) -> None:
        """Add the results of an operation, if it depends on the arguments."""
        read = [v.name for v in (*op.operands, *captures(op)) if v.name in self._sources]
        near = reduce(or_, (self._sources[name] for name in read), 0)
        for value in op.results if read else ():
            if is_conversion(op):
                self._sources[value.name] = near
                continue
            landmark = Landmark(op, self._chain(value), len(self.all))
            self._sources[value.name] = 1 << landmark.index
            self.ancestors.append(reduce(or_, (self.ancestors[k] for k in bits(near)), near))
            self.nearest.append(near)
            self.all.append(landmark)

    def is_static(self, value: Value) -> bool:
        """Return whether a value depends on no argument."""
        return value.name not in self._sources

    def _chain(self, value: Value) -> Sequence[Value]:
        """Return a value and the results of the conversions that alone read the one before."""
        chain = [value]
        while len(users := self.users[chain[-1].name]) == 1 and is_conversion(users[0]):
            chain.append(users[0].result)
        return chain


def bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def is_conversion(op: Op) -> bool:
    """Return whether an operation gives its first operand's numbers in another type or precision."""
    return op.name in FORMS or facts(op).error == "converted" or op.name == "stablehlo.reduce_precision"


def _users(region: Region) -> dict[str, list[Op]]:
    """Return the operations that read a value, by its name."""
    found = defaultdict[str, list[Op]](list)
    for op in region.ops:
        for value in (*op.operands, *captures(op)):
            found[value.name].append(op)
    return found


@dataclass(frozen=True, eq=False)
class Matching:
    """Pairs of the landmarks of two functions, left and right, by their indices, and how each was found."""

    sides: tuple[Landmarks, Landmarks]
    partners: tuple[dict[int, int], dict[int, int]] = field(default_factory=lambda: ({}, {}))
    how: dict[int, str] = field(default_factory=dict)  # by the index on the right

    def pairs(self) -> list[Pair]:
        """Return the pairs in the order of the right function."""
        left, right = (side.all for side in self.sides)
        return [Pair(left[k], right[j], self.how[j]) for j, k in sorted(self.partners[1].items())]

    def alone(self) -> list[list[Landmark]]:
        """Return the landmarks without a partner, left and right."""
        return [
            [x for x in side.all if x.index not in known]
            for side, known in zip(self.sides, self.partners, strict=True)
        ]

    def add(self, k: int, j: int, how: str) -> None:
        """Make landmark k on the left and j on the right partners if they are comparable, and both free."""
        free = k not in self.partners[0] and j not in self.partners[1]
        if free and comparable(self.sides[0].all[k], self.sides[1].all[j]):
            self.partners[0][k], self.partners[1][j], self.how[j] = j, k, how

    def remove(self, k: int, j: int) -> str:
        """Undo a pair, and return how it was found."""
        del self.partners[0][k], self.partners[1][j]
        return self.how.pop(j)

    def agree(self, k: int, j: int) -> bool:
        """Return whether the partners of what either one reads are ancestors of the other."""
        (left, right), (ours, theirs) = self.sides, self.partners
        read = [ours[x] for x in bits(left.nearest[k]) if x in ours]
        back = [theirs[x] for x in bits(right.nearest[j]) if x in theirs]
        return all(right.ancestors[j] >> x & 1 for x in read) and all(
            left.ancestors[k] >> x & 1 for x in back
        )


def matched(left: Func, right: Func) -> Matching:
    """Match the landmarks of two functions: by chosen names, by exporters' locations, then by structure."""
    found = Matching((Landmarks(left), Landmarks(right)))
    _by_key(found, _name, "name")
    _by_key(found, _location, "location")
    _by_structure(found)
    _after_clipping(found)
    return found


def _name(landmark: Landmark) -> str:
    """Return the value's name if somebody chose it, else nothing."""
    name = landmark.value.name.removeprefix("%")
    return "" if NUMBERED.fullmatch(name) else name


def _location(landmark: Landmark) -> str:
    """Return the name that an exporter gave the operation, if it has only one result."""
    return landmark.op.location.name if len(landmark.op.results) == 1 else ""


def _by_key(found: Matching, key: Callable[[Landmark], str], how: str) -> None:
    """Match landmarks whose key is the same, and no other's in its own program."""
    left, right = (_unique(side, key) for side in found.sides)
    for name in right.keys() & left.keys():
        found.add(left[name], right[name], how)


def _unique(side: Landmarks, key: Callable[[Landmark], str]) -> dict[str, int]:
    """Return the indices of the landmarks whose key no other has, by that key."""
    known = Counter(map(key, side.all))
    return {key(x): x.index for x in side.all if key(x) and known[key(x)] == 1}


def _by_structure(found: Matching) -> None:
    """Align both sequences of operations, by name and shape, around the pairs that there are.

    Two aligned operations become partners only if what they read agrees with the pairs before.
    """
    left = [found.partners[0].get(x.index, x.signature) for x in found.sides[0].all]
    right = [x.index if x.index in found.partners[1] else x.signature for x in found.sides[1].all]
    for k, j in common_subsequence(left, right):
        if found.agree(k, j):
            found.add(k, j, "structure")


def _after_clipping(found: Matching) -> None:
    """Move pairs behind an activation that only one program has, where the other's storage clips instead.

    Such an activation is a maximum, a minimum or a clamp between its operand and constants. Saturation of the
    quantized value in the other program does the same, so the value after it is the partner.
    """
    for side, lone in enumerate(found.alone()):
        known, other = found.partners[side], found.sides[1 - side]
        for x in lone:
            near = list(bits(found.sides[side].nearest[x.index]))
            clips = short(x.op) in ("maximum", "minimum", "clamp") and len(near) == 1 and near[0] in known
            if clips and other.all[known[near[0]]].stored:
                partner = known[near[0]]
                how = found.remove(*_in_order(near[0], partner, side))
                found.add(*_in_order(x.index, partner, side), how)


def _in_order(own: int, partner: int, side: int) -> tuple[int, int]:
    """Return the indices of a pair, left and right, where `own` is of the side with that number."""
    return (partner, own) if side else (own, partner)


def comparable(left: Landmark, right: Landmark) -> bool:
    """Return whether two values have one shape, and both are real numbers or of the same type."""
    a, b = left.settled.type, right.settled.type
    if not (isinstance(a, TensorType) and isinstance(b, TensorType)) or a.shape != b.shape:
        return False
    return (_real(a) and _real(b)) or a.element_type == b.element_type


def _real(type: TensorType) -> bool:
    """Return whether the elements of a type are real numbers: floats, or quantized."""
    return type.is_quantized or type.storage_type.kind == "float"
