"""Landmarks, values that may have a partner in another program: their numbers, and alignment of sequences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.recorder.event import short
from spec.attributes import Dense
from spec.ir import Func, Op, Region, Value, reads
from spec.op_attributes import FORMS
from spec.types import BundleType, TensorType

# Alignment of two sequences by a longest common subsequence.


def common_subsequence(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence, the latest if there are several.

    A row of the table of lengths is one integer, whose bit j is clear where the length grows with right[j]
    (H. Hyyro, "Bit-parallel LCS-length computation revisited", 2004).
    """
    places = defaultdict[Hashable, int](int)
    for j, token in enumerate(right):
        places[token] |= 1 << j
    rows = [(1 << len(right)) - 1]
    for token in left:
        both = rows[-1] & places[token]
        rows.append(((rows[-1] + both) | (rows[-1] - both)) & rows[0])
    found, i, j = [], len(left), len(right)
    while i and j:
        if left[i - 1] == right[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif _growth(rows[i - 1], j) >= _growth(rows[i], j - 1):
            i -= 1
        else:
            j -= 1
    return found[::-1]


def _growth(row: int, end: int) -> int:
    """Return the length of the common subsequence of a row up to a column."""
    return end - (row & ((1 << end) - 1)).bit_count()


# Landmarks: values of a program that may have a partner in another one.
#
# A landmark is a result of an operation that depends on the arguments and is no conversion. Conversions
# (quantize, dequantize, convert) that a landmark goes through and nothing else reads belong to it.

SUMS = ("sum", "largest", "reduced")  # rules of bounds of operations that keep the unit of their operands


@dataclass(frozen=True, eq=False)
class Landmark:
    """A value of one program, and its index among the landmarks.

    `chain` begins with the value, and goes on with the results of the conversions that belong to it.
    """

    op: Op
    chain: Sequence[Value]
    index: int
    cuts_at_zero: bool = False  # the larger, or the smaller, of a number and zero

    @property
    def value(self) -> Value:
        """The operation's result."""
        return self.chain[0]

    @property
    def last_value(self) -> Value:
        """The value after the conversions."""
        return self.chain[-1]

    @property
    def quantized_value(self) -> Value | None:
        """The last quantized value of the chain, if any."""
        quantized = (v for v in self.chain[::-1] if v.type.is_quantized)
        return next(quantized, None)

    @property
    def signature(self) -> tuple[str, Any, bool]:
        """The operation's name, the shape of the value, and whether it cuts at zero."""
        return short(self.op), self.value.type.shape, self.cuts_at_zero


class Landmarks:
    """The landmarks of a function without calls, in program order, and what each depends on.

    Sets are integers: bit k stands for the landmark with index k, or for argument k.
    """

    def __init__(self, func: Func) -> None:
        self.func, self.users = func, _users(func.body)
        self.producers = {v.name: op for op in func.body.ops for v in op.results}
        self.all: list[Landmark] = []
        self.by_result: dict[str, Landmark] = {}
        self.counts: list[bool] = []  # whether each is a float that counts in units of an unknown scale
        self.nearest: list[int] = []  # what each reads, itself or through conversions
        self.ancestors: list[int] = []  # what each depends on
        self.given: list[int] = []  # the arguments that each reads so
        self._sources = {v.name: 0 for v in func.inputs}
        self._given = {v.name: 1 << k for k, v in enumerate(func.inputs)}
        self.arguments = [self._chain(value) for value in func.inputs]
        for op in func.body.ops[:-1]:
            self._add(op)

    def _add(self, op: Op) -> None:
        """Add the results of an operation, if it depends on the arguments."""
        read = [v.name for v in reads(op) if v.name in self._sources]
        near = reduce(or_, (self._sources[name] for name in read), 0)
        given = reduce(or_, (self._given.get(name, 0) for name in read), 0)
        for value in op.results if read else ():
            if is_conversion(op):
                self._sources[value.name], self._given[value.name] = near, given
                continue
            landmark = Landmark(op, self._chain(value), len(self.all), self._cuts_at_zero(op))
            self._sources[value.name] = 1 << landmark.index
            self.ancestors.append(reduce(or_, (self.ancestors[k] for k in bits(near)), near))
            self.nearest.append(near)
            self.given.append(given)
            self.all.append(landmark)
            self.by_result[value.name] = landmark
            self.counts.append(self._counts(landmark))

    def _counts(self, landmark: Landmark) -> bool:
        """Return whether a float is a whole number: converted from integers, or a sum or move of such.

        What it stands for is known only together with a scale, which a later product brings.
        """
        if not _is_float(landmark.last_value.type):
            return False
        if any(_is_integer(v.type) for v in landmark.chain):
            return True
        row, op = facts(landmark.op), landmark.op
        if row.contracts:
            return all(_is_integer(v.type) for v in op.operands[:2])
        before = [self.counts[k] for k in bits(self.nearest[landmark.index])]
        return (
            bool(before)
            and all(before)
            and not self.given[landmark.index]
            and (row.moves or row.error in SUMS)
        )

    def _cuts_at_zero(self, op: Op) -> bool:
        """Return whether an operation is a ReLU or its mirror image, not the clamp of a simulated type."""
        return facts(op).chooses and any(map(self._is_zero, op.operands))

    def _is_zero(self, value: Value) -> bool:
        """Return whether a value is a constant of zeros, perhaps broadcast."""
        op = self.producers.get(value.name)
        while op is not None and op.operands and (is_conversion(op) or facts(op).moves):
            op = self.producers.get(op.operands[0].name)
        dense = op.attributes.get("value") if op is not None else None
        if not isinstance(dense, Dense):
            return False
        zeros = set(dense.type.quantized_element_type.zero_points) if dense.type.is_quantized else {0}
        numbers = np.frombuffer(dense.data, numpy_dtype(dense.type.storage_type))
        return len(zeros) == 1 and bool((numbers == zeros.pop()).all())

    def is_static(self, value: Value) -> bool:
        """Return whether a value depends on no argument."""
        return value.name not in self._sources

    def _chain(self, value: Value) -> Sequence[Value]:
        """Return a value and the results of the conversions that alone read the one before."""
        chain = [value]
        while len(users := self.users[chain[-1].name]) == 1 and is_conversion(users[0]):
            chain.append(users[0].result)
        return chain


def _is_float(type: TensorType) -> bool:
    return not isinstance(type, BundleType) and not type.is_quantized and type.storage_type.kind == "float"


def _is_integer(type: TensorType) -> bool:
    """Return whether elements are plain integers."""
    return not isinstance(type, BundleType) and not type.is_quantized and type.storage_type.is_integer


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
        for value in reads(op):
            found[value.name].append(op)
    return found


# Numbers of what operations compute: the same operation on the same operands has the same number.
#
# THEOREM: in two programs without effects, values with one number are the same function of the arguments
# but for conversions, which are passed over: they are the same numbers in other types or precisions.

Numbers = dict[str, int]  # of expressions, by the names of the values


@dataclass
class Numbering:
    """Numbers of expressions, shared by the programs that are compared; `passes`: what is passed over."""

    passes: Callable[[Op], bool]
    known: dict[Hashable, int] = field(default_factory=dict)

    def of(self, func: Func) -> Numbers:
        """Return the numbers of all values of a function without calls."""
        found = {v.name: self._number("argument", k) for k, v in enumerate(func.inputs)}
        self._follow(func.body.ops[:-1], found, 0)
        return found

    def _number(self, *parts: Hashable) -> int:
        return self.known.setdefault(parts, len(self.known))

    def _follow(self, ops: Iterable[Op], found: Numbers, depth: int) -> list[int]:
        """Add the numbers of the results of operations, and return those of the operations."""
        numbers = []
        for op in ops:
            if self.passes(op):
                found[op.result.name] = found[op.operands[0].name]
                continue
            numbers.append(number := self._operation(op, found, depth))
            found.update({v.name: self._number("result", number, k) for k, v in enumerate(op.results)})
        return numbers

    def _operation(self, op: Op, found: Numbers, depth: int) -> int:
        operands = [found[v.name] for v in op.operands]
        if facts(op).identity:  # so that it commutes
            operands.sort()
        regions = [self._region(region, found, depth + 1) for region in op.regions]
        shapes = [getattr(v.type, "shape", ()) for v in op.results]
        return self._number(op.name, *shapes, self._attributes(op.attributes), *operands, "in", *regions)

    def _region(self, region: Region, around: Numbers, depth: int) -> int:
        inner = dict(around)
        inner |= {v.name: self._number("parameter", depth, k) for k, v in enumerate(region.arguments)}
        done = self._follow(region.ops[:-1], inner, depth)
        return self._number("region", *done, "returns", *(inner[v.name] for v in region.returns))

    def _attributes(self, attributes: Mapping[str, Any]) -> int:
        return self._number("attributes", *((name, _plain(attributes[name])) for name in sorted(attributes)))


def _plain(x: Any) -> Hashable:
    """Return what tells attributes apart; of a constant a digest, since weights may be large."""
    return (x.type, x.splat, sha256(x.data).digest()) if isinstance(x, Dense) else repr(x)
