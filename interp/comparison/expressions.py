"""Numbers of what operations compute: the same operation on the same operands has the same number.

THEOREM: in two programs without effects, values with one number are the same function of the arguments but
for conversions, which are passed over: they are the same numbers in other types or precisions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from interp.engine.facts import facts
from spec.ir import Dense, Func, Op, Region

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
