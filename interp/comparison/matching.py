"""Pairs of values of two programs that stand for the same number: by name, by location, or by structure.

By structure, values are partners that are the same function of the arguments; what is left is aligned. That
is a guess, which the numbers of a run may refute (see `units`).

Both programs are functions without calls. What is compared of a landmark is the value after the conversions
that belong to it, which is what the rest of its program sees. So a convolution in float stands beside a
quantized one, and one followed by a pair of quantize and dequantize beside one whose result is quantized.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from interp.backends import Array
from interp.comparison.comparison import power, sqnr
from interp.comparison.landmarks import (
    Landmark,
    Landmarks,
    Numbering,
    bits,
    common_subsequence,
    is_conversion,
)
from interp.comparison.tails import pairs, tail
from interp.engine.facts import facts
from spec.ir import Func
from spec.types import BundleType, TensorType

# Pairs by structure whose numbers tell that they are in other units: one is the other in steps of a scale.
#
# PREMISE: `y = c x + d` with another c than 1 explains nearly all of y, where x itself explains little of
# it. That is what a scale and a zero point between two values leave behind, and what wrong weights, or one
# wrong number per channel, do not: they change elements one by one. A wrong factor of a whole layer does,
# so such a pair is listed with its factor, and not dropped in silence. c is positive, as scales are; an
# offset alone is an error and no unit. Few numbers fit any line: fewer than `FEWEST` are not judged.

FEWEST = 16  # numbers of a pair that is judged
ENOUGH = (
    20.0  # dB: a pair that is nearer is left alone, one that fits a line is no farther, and it gains as much
)
UNIT = 0.05  # how far from 1 a factor is no error of rounding


def other_units(x: Array, reference: Array) -> str:
    """Return why numbers and those of the reference are in other units; nothing if they seem to be in one.

    The ratio after the fit is that of what varies, so that a constant explains nothing.
    """
    if np.iscomplexobj(x) or np.iscomplexobj(reference):
        return ""
    x, y = (np.asarray(each).astype(np.float64).reshape(-1) for each in (x, reference))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        finite = np.isfinite(x - y)
        x, y = x[finite], y[finite]
        if len(x) < FEWEST or (before := sqnr(power(y), power(x - y))) >= ENOUGH:
            return ""
        x, y = x - x.mean(), y - y.mean()
        factor = (x @ y) / (x @ x)
        rest = y - factor * x
    if not (np.isfinite(rest).all() and factor > 0 and abs(factor - 1) > UNIT):
        return ""
    if sqnr(power(y), power(rest)) < max(ENOUGH, before + ENOUGH):
        return ""
    return f"differ by a factor of {max(factor, 1 / factor):.3g}"


NUMBERED = re.compile(r"(.*\.)?(cst|c|arg)?_?\d*(#\d+)?$")  # names that MLIR's printer gives


@dataclass(frozen=True)
class Pair:
    """Two landmarks that stand for the same number, and how that was found."""

    left: Landmark
    right: Landmark
    how: str


@dataclass(frozen=True)
class LeftOut:
    """Two landmarks at the same place that do not mean the same, and why."""

    left: Landmark
    right: Landmark
    reason: str


@dataclass(frozen=True, eq=False)
class Matching:
    """Pairs of the landmarks of two functions, left and right, by their indices, and how each was found."""

    sides: tuple[Landmarks, Landmarks]
    partners: tuple[dict[int, int], dict[int, int]] = field(default_factory=lambda: ({}, {}))
    how: dict[int, str] = field(default_factory=dict)  # by the index on the right
    proven: set[int] = field(default_factory=set)  # right indices: the same function of the arguments
    merged: set[int] = field(default_factory=set)  # right indices: in tails with other constants
    left_out: list[LeftOut] = field(default_factory=list)
    alone_for_good: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))

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
        free &= k not in self.alone_for_good[0] and j not in self.alone_for_good[1]
        if free and comparable(self.sides[0].all[k], self.sides[1].all[j]):
            self.partners[0][k], self.partners[1][j], self.how[j] = j, k, how

    def has(self, pair: Pair) -> bool:
        """Return whether two landmarks are partners."""
        return self.partners[0].get(pair.left.index) == pair.right.index

    def remove(self, k: int, j: int) -> str:
        """Undo a pair, and return how it was found."""
        del self.partners[0][k], self.partners[1][j]
        return self.how.pop(j)

    def leave_out(self, pair: Pair, reason: str) -> None:
        """Undo a pair that does not mean the same, and keep the reason."""
        self.remove(pair.left.index, pair.right.index)
        self.left_out.append(LeftOut(pair.left, pair.right, reason))

    def is_guess(self, pair: Pair) -> bool:
        """Return whether nothing but the place of two values in their programs makes them a pair."""
        return pair.how == "structure" and pair.right.index not in self.proven

    def leave_out_units(self, numbers: Callable[[Landmark, int], Array]) -> None:
        """Leave out guesses whose numbers are in other units; numbers: those of a landmark of side 0 or 1."""
        for pair in filter(self.is_guess, self.pairs()):
            left, right = numbers(pair.left, 0), numbers(pair.right, 1)
            if reason := other_units(right, left):
                self.leave_out(pair, reason)

    def agree(self, k: int, j: int) -> bool:
        """Return whether the partners of what either one reads are ancestors of the other.

        Two that read arguments alone must read the same ones.
        """
        (left, right), (ours, theirs) = self.sides, self.partners
        if not (left.nearest[k] or right.nearest[j]) and left.given[k] != right.given[j]:
            return False
        read = [ours[x] for x in bits(left.nearest[k]) if x in ours]
        back = [theirs[x] for x in bits(right.nearest[j]) if x in theirs]
        return all(right.ancestors[j] >> x & 1 for x in read) and all(
            left.ancestors[k] >> x & 1 for x in back
        )


def match_landmarks(left: Func, right: Func) -> Matching:
    """Match the landmarks of two functions: by chosen names, by exporters' locations, then by structure."""
    found = Matching((Landmarks(left), Landmarks(right)))
    _by_key(found, _name, "name")
    _by_key(found, _location, "location")
    _by_expression(found)
    _by_structure(found)
    if _around_factors(found):
        _by_structure(found)
    _without_scales(found)
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


def _by_expression(found: Matching) -> None:
    """Match landmarks that are the same function of the arguments, the first of each side with the first."""
    numbering, places = Numbering(is_conversion), defaultdict[int, list[int]](list)
    left, right = (numbering.of(side.func) for side in found.sides)
    for landmark in found.sides[1].all:
        places[right[landmark.value.name]].append(landmark.index)
    for landmark in found.sides[0].all:
        if waiting := places[left[landmark.value.name]]:
            found.add(landmark.index, j := waiting.pop(0), "structure")
            found.proven.add(j)


def _by_structure(found: Matching) -> None:
    """Align both sequences of operations, by name and shape, around the pairs that there are.

    Two aligned operations become partners only if what they read agrees with the pairs before.
    """
    left = [found.partners[0].get(x.index, x.signature) for x in found.sides[0].all]
    right = [x.index if x.index in found.partners[1] else x.signature for x in found.sides[1].all]
    for k, j in common_subsequence(left, right):
        if found.agree(k, j):
            found.add(k, j, "structure")


MERGED = "one program merges constant factors into the weights"
NO_SCALE = "integers of an unknown scale"


def _around_factors(found: Matching) -> bool:
    """Pair the tails of contractions by their constants (see `tails`); return whether a pair has changed."""
    changed = False
    for pair in found.pairs():
        counts = found.sides[0].counts[pair.left.index], found.sides[1].counts[pair.right.index]
        both = facts(pair.left.op).contracts and facts(pair.right.op).contracts
        if not both or not found.has(pair):
            continue
        left, right = (tail(*each) for each in zip(found.sides, (pair.left, pair.right), counts, strict=True))
        if left.names == right.names and counts[0] == counts[1]:
            continue
        changed = True
        found.merged.update(x.index for x in right.landmarks)
        for side, each in enumerate((left, right)):
            for x in each.landmarks:
                if (partner := found.partners[side].get(x.index)) is not None:
                    found.remove(*_in_order(x.index, partner, side))
        apart = counts if counts[0] != counts[1] else (False, False)
        for x, y in pairs(left, right, apart, pair.right.index in found.proven):
            found.add(x.index, y.index, pair.how)
        for side, each in enumerate((left, right)):
            alone = {x.index for x in each.landmarks} - found.partners[side].keys()
            found.alone_for_good[side].update(alone)
        if not found.has(pair):
            reason = NO_SCALE if counts[0] != counts[1] else MERGED
            found.left_out.append(LeftOut(pair.left, pair.right, reason))
    return changed


def _without_scales(found: Matching) -> None:
    """Leave out pairs in which one value counts in units of an unknown scale, and the other is a number."""
    for pair in found.pairs():
        if found.sides[0].counts[pair.left.index] != found.sides[1].counts[pair.right.index]:
            found.leave_out(pair, NO_SCALE)


def _after_clipping(found: Matching) -> None:
    """Move pairs behind an activation that only one program has, where the other's storage clips instead.

    Such an activation is a maximum, a minimum or a clamp between its operand and constants. Saturation of the
    quantized value in the other program does the same, so the value after it is the partner.
    """
    for side, lone in enumerate(found.alone()):
        known, other = found.partners[side], found.sides[1 - side]
        for x in lone:
            near = list(bits(found.sides[side].nearest[x.index]))
            clips = facts(x.op).clips and len(near) == 1 and near[0] in known
            if clips and other.all[known[near[0]]].quantized_value:
                partner = known[near[0]]
                how = found.remove(*_in_order(near[0], partner, side))
                found.add(*_in_order(x.index, partner, side), how)


def _in_order(own: int, partner: int, side: int) -> tuple[int, int]:
    """Return the indices of a pair, left and right, where `own` is of the side with that number."""
    return (partner, own) if side else (own, partner)


def comparable(left: Landmark, right: Landmark) -> bool:
    """Return whether two values have one shape, and both are real numbers or of the same type."""
    a, b = left.last_value.type, right.last_value.type
    if isinstance(a, BundleType) or isinstance(b, BundleType) or a.shape != b.shape:
        return False
    return (_real(a) and _real(b)) or a.element_type == b.element_type


def _real(type: TensorType) -> bool:
    """Return whether the elements of a type are real numbers: floats, or quantized."""
    return type.is_quantized or type.storage_type.kind == "float"
