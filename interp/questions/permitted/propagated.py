"""The permitted results of a function in the integer reading, as intervals propagated from its arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import code_of
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.walk import Domain, Env
from interp.kernels import OPERATIONS, SCHEDULED
from interp.questions.permitted.possible import (
    Possible,
    anything,
    exactly,
    of_contraction,
    of_conversion,
    of_elementwise,
    of_requantization,
)
from spec.accumulator import Reading
from spec.integer_reading import CONTRACTIONS, has_integers, reads_integers, requantizes
from spec.ir import Module, Op, Region, Value, captures
from spec.ir import walk as every
from spec.schedule import LEFT
from spec.types import QuantizedType

Known = Possible | None  # None: nothing is known of a value that is not quantized
LOOP = "stablehlo.while"
IN_PLACE = {f"stablehlo.{name}" for name in ("concatenate", "reshape", "reverse", "slice", "transpose")}


class Propagation(Domain[Known]):
    """The domain of intervals; `choices` counts the operations with several permitted results."""

    rounds = 1 << 8

    def __init__(self, module: Module, reading: Reading) -> None:
        self.module, self.reading, self.choices = module, reading, 0
        self.ctx = Context(NUMPY, module, LEFT, OPERATIONS, reading=reading)
        self.alone = dict(row for func in module.functions.values() for row in _read_alone(func.body))

    def read(self, op: Op, env: Env[Known]) -> list[Known]:
        """Return what an operation reads; if a value is read several times, its choices are dependent."""
        pairs = zip(super().read(op, env), self.alone[id(op)], strict=True)
        return [x._replace(full=x.full and (x.single or alone)) if x else x for x, alone in pairs]

    def decide(self, x: Known) -> int | None:
        return int(x.low) if x and x.single else None

    def join(self, value: Value, values: Sequence[Known], by: Known) -> Known:
        """Return an interval that holds the permitted elements of all branches."""
        known = [x for x in values if x is not None]
        if len(known) < len(values) or not value.type.is_quantized:
            return None
        low, high = np.minimum.reduce([x.low for x in known]), np.maximum.reduce([x.high for x in known])
        return Possible(low, high, False)

    def branches(self, op: Op, by: Known, env: Env[Known]) -> Sequence[Known]:
        self.choices += 1
        return super().branches(op, by, env)

    def loop(self, op: Op, state: list[Known], by: Known, env: Env[Known]) -> Sequence[Known]:
        return self._unsettled(op)

    def apply(self, op: Op, operands: list[Known], env: Env[Known]) -> list[Known]:
        known = [x for x in operands if x is not None]
        if len(known) < len(operands) or captures(op):
            return self._unsettled(op)
        if op.name != "stablehlo.compare" and reads_integers(op, self.reading):
            self.choices += 1
            return [self._integers(op, known)]
        if all(x.single for x in known):
            return self._settled(op, known)
        if facts(op).error == "moved" and not op.regions:
            low, high = (self._of(op, [x[end] for x in known]) for end in (0, 1))
            full = op.name in IN_PLACE and all(x.full for x in known)
            return [Possible(a, b, full) for a, b in zip(low, high, strict=True)]
        return self._unsettled(op)

    def _settled(self, op: Op, known: list[Possible]) -> list[Known]:
        """Return the results of an operation on known elements if no reading or schedule changes them."""
        source = op.operands[0].type.element_type if op.operands else None
        both = isinstance(source, QuantizedType) and all(value.type.is_quantized for value in op.results)
        if facts(op).family == "conversion" and both and op.name == "stablehlo.uniform_quantize":
            self.choices += 1
            (given,) = self._of(op, [x.low for x in known])
            return [of_conversion(op, known[0], given)]
        if op.name in SCHEDULED or (op.regions and has_integers(op)):
            return self._unsettled(op)
        return [exactly(x) for x in self._of(op, [x.low for x in known])]

    def _integers(self, op: Op, known: list[Possible]) -> Possible:
        if requantizes(op):
            return of_requantization(op, known[0])
        if op.name in CONTRACTIONS:
            return of_contraction(self.ctx, op, known, self.reading.accumulator)
        return of_elementwise(op, known, self.reading.accumulator)

    def _unsettled(self, op: Op) -> list[Known]:
        self.choices += 1
        return [_anything(value) for value in op.results]

    def _of(self, op: Op, operands: Sequence[Array]) -> State:
        with np.errstate(all="ignore"):
            return self.ctx.run(code_of(op), operands)


def _read_alone(body: Region) -> Iterator[tuple[int, list[bool]]]:
    """Yield, by the identity of each operation, whether it is the only one that reads each of its operands.

    What a loop captures is read in every round.
    """
    uses = Counter(value.name for op in every(body) for value in op.operands)
    uses.update(value.name for op in every(body) if op.name == LOOP for value in captures(op))
    for op in every(body):
        yield id(op), [uses[value.name] == 1 for value in op.operands]


def _anything(value: Value) -> Known:
    type = value.type.element_type
    return anything(type, value.type.shape) if isinstance(type, QuantizedType) else None
