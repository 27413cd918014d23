"""Comparators that order items lexicographically by keys: sorting by these gives the network's bits.

THEOREM: let a comparator be `k1(lhs) < k1(rhs) or k1(lhs) = k1(rhs) and (k2(lhs) < k2(rhs) or ...)`, each key
the same function of both sides, compared by `<` or `>` (the last one also by `<=` or `>=`), and no key NaN
unless it is compared in total order. Then the comparator, asked both ways, puts one item before the other
exactly if its keys are lexicographically less, or equal and it stood first. That is a strict total order,
for which every sorting network has one result: that of a stable sort by the keys.

If, besides, the only operand is the only key (but for zeros and NaNs, which the key may replace), and has
neither -0 nor NaN, then equal keys are equal elements, and any sort by value gives the result.

The structure of the comparator decides this, except that data decide whether there is a -0 or a NaN.
"""

from __future__ import annotations

from typing import NamedTuple

from interp.engine.memo import once
from spec.ir import Op, Region, Value, return_only
from spec.types import ElementType

LESS, GREATER = ("LT", "LE"), ("GT", "GE")
STRICT = ("LT", "GT")


class Key(NamedTuple):
    """A key of a comparator: the value of its left-hand side, and how it is compared with that of the right.

    plain: the key is the argument itself, but for zeros and NaNs.
    """

    value: Value
    descending: bool
    total: bool
    plain: bool


class Expressions:
    """Numbers for the values of a comparator: the same number for equal expressions of the same arguments.

    A mirrored number is the number of the expression with left-hand and right-hand arguments exchanged.
    """

    def __init__(self, comparator: Region) -> None:
        self.numbers: dict[object, int] = {}
        self.own: dict[str, int] = {}
        self.mirrored: dict[str, int] = {}
        self.sides: dict[str, frozenset[int]] = {}
        self.makers: dict[str, Op] = {}
        for k, argument in enumerate(comparator.arguments):
            self.own[argument.name] = self._number(("argument", k))
            self.mirrored[argument.name] = self._number(("argument", k ^ 1))
            self.sides[argument.name] = frozenset({k % 2})
        for op in comparator.ops[:-1]:
            self._add(op)

    def _number(self, expression: object) -> int:
        return self.numbers.setdefault(expression, len(self.numbers))

    def _add(self, op: Op) -> None:
        for operand in op.operands:  # captured from outside, and so the same on both sides
            self.own.setdefault(operand.name, self._number(("captured", operand.name)))
            self.mirrored.setdefault(operand.name, self.own[operand.name])
            self.sides.setdefault(operand.name, frozenset())
        what = (op.name, repr(sorted(op.attributes.items(), key=lambda item: item[0])))
        sides = frozenset().union(*(self.sides[operand.name] for operand in op.operands))
        for k, result in enumerate(op.results):
            of = what, k, result.type
            self.own[result.name] = self._number((of, tuple(self.own[v.name] for v in op.operands)))
            self.mirrored[result.name] = self._number((of, tuple(self.mirrored[v.name] for v in op.operands)))
            self.sides[result.name], self.makers[result.name] = sides, op

    def maker(self, value: Value, name: str) -> Op | None:
        """Return the operation that computes a value if it has this name, else None."""
        op = self.makers.get(value.name)
        return op if op and op.name == f"stablehlo.{name}" else None

    def key(self, value: Value, directions: tuple[str, ...]) -> Key | None:
        """Return the key if a value compares one function of both sides by one of `directions`, else None."""
        op = self.maker(value, "compare")
        if not op or op["comparison_direction"] not in directions:
            return None
        lhs, rhs = op.operands
        sides = self.sides[lhs.name], self.sides[rhs.name]
        apart = sorted(map(sorted, sides)) == [[0], [1]]
        if not apart or self.own[lhs.name] != self.mirrored[rhs.name]:
            return None
        total = op.attributes.get("compare_type") == "TOTALORDER"
        descending = op["comparison_direction"] in GREATER
        left, descending = (lhs, descending) if sides[0] == {0} else (rhs, not descending)
        return Key(left, descending, total, self.is_plain(left))

    def is_plain(self, value: Value) -> bool:
        """Return whether a value is an argument, or `select` between one and its zero or NaN."""
        if (op := self.maker(value, "select")) is None:
            return value.name not in self.makers and self.sides[value.name] == {0}
        pred, replaced, kept = op.operands
        asked, constant = self.maker(pred, "compare"), self.maker(replaced, "constant")
        if asked is None or constant is None or not self.is_plain(kept):
            return False
        x, other = asked.operands
        if asked["comparison_direction"] == "NE":  # x != x
            return x == other and self.is_plain(x) and _is_nan(constant)
        zero = self.maker(other, "constant")
        of_zero = asked["comparison_direction"] == "EQ" and zero is not None and not any(zero["value"].data)
        return of_zero and self.is_plain(x) and not any(constant["value"].data)

    def alike(self, key: Key, other: Key | None) -> bool:
        """Return whether two keys are the same value and are both compared in total order, or both not."""
        if other is None:
            return False
        return self.own[key.value.name] == self.own[other.value.name] and key.total == other.total

    def keys(self, value: Value) -> tuple[Key, ...] | None:
        """Return the keys by which a value compares lexicographically, or None if it does not."""
        if key := self.key(value, (*LESS, *GREATER)):
            return (key,)
        return self._by_or(value) or self._by_select(value)

    def _by_or(self, value: Value) -> tuple[Key, ...] | None:
        """Match `or(k1(lhs) < k1(rhs), and(k1(lhs) = k1(rhs), rest))`, with operands in any order."""
        op = self.maker(value, "or")
        for first, second in (op.operands, op.operands[::-1]) if op else ():
            key, both = self.key(first, STRICT), self.maker(second, "and")
            if key is None or both is None:
                continue
            for equal, rest in (both.operands, both.operands[::-1]):
                if self.alike(key, self.key(equal, ("EQ",))) and (others := self.keys(rest)):
                    return (key, *others)
        return None

    def _by_select(self, value: Value) -> tuple[Key, ...] | None:
        """Match `select(k1(lhs) = k1(rhs), rest, k1(lhs) < k1(rhs))`, or the other way round with `!=`."""
        op = self.maker(value, "select")
        if op is None:
            return None
        pred, on_true, on_false = op.operands
        equal = self.key(pred, ("EQ",))
        rest, less = (on_true, on_false) if equal else (on_false, on_true)
        key, asked = self.key(less, (*LESS, *GREATER)), equal or self.key(pred, ("NE",))
        if key and self.alike(key, asked) and (others := self.keys(rest)):
            return (key, *others)
        return None


def _is_nan(constant: Op) -> bool:
    """Return whether a constant is the quiet NaN that JAX writes."""
    type = constant.result.type.element_type
    if not isinstance(type, ElementType) or type.special != "ieee":
        return False
    quiet = ((1 << type.exponent + 1) - 1) << type.mantissa - 1
    return int.from_bytes(constant["value"].data, "little") == quiet


@once
def keys_of(comparator: Region) -> tuple[Key, ...] | None:
    """Return the keys by which a comparator orders lexicographically, or None if it does not."""
    (less,) = comparator.returns
    return Expressions(comparator).keys(less)


@once
def key_function(comparator: Region) -> Region:
    """Return the comparator with its keys as results, and only the operations that compute them."""
    return return_only(comparator, [key.value for key in keys_of(comparator) or ()])
