"""The permitted results of a function in the integer reading, as intervals propagated from its arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import code_of
from interp.engine.evaluate import Context
from interp.engine.facts import facts
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
from spec.ir import Module, Op, Region, Value, called, captures
from spec.schedule import LEFT
from spec.types import QuantizedType

Known = Possible | None  # None: nothing is known of a value that is not quantized
IN_PLACE = {f"stablehlo.{name}" for name in ("concatenate", "reshape", "reverse", "slice", "transpose")}


class Propagation:
    """Evaluator of a program on intervals; `choices` counts the operations with several permitted results."""

    def __init__(self, module: Module, reading: Reading) -> None:
        self.module, self.reading, self.choices = module, reading, 0
        self.ctx = Context(NUMPY, module, LEFT, OPERATIONS, reading=reading)

    def run(self, region: Region, args: Sequence[Known]) -> list[Known]:
        env = {value.name: arg for value, arg in zip(region.arguments, args, strict=True)}
        uses = Counter(value.name for op in region.ops for value in op.operands)
        for op in region.ops[:-1]:
            results = self._op(op, [self._operand(value, env, uses) for value in op.operands])
            env.update((value.name, result) for value, result in zip(op.results, results, strict=True))
        return [self._operand(value, env, uses) for value in region.returns]

    def _operand(self, value: Value, env: Mapping[str, Known], uses: Mapping[str, int]) -> Known:
        """Return an operand or a result; if it is used several times, its choices are dependent."""
        x = env[value.name]
        return x._replace(full=x.full and (x.single or uses[value.name] == 1)) if x else x

    def _op(self, op: Op, operands: list[Known]) -> list[Known]:
        if called(op):
            return self.run(self.module[called(op)[0]].body, operands)
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


def _anything(value: Value) -> Known:
    type = value.type.element_type
    return anything(type, value.type.shape) if isinstance(type, QuantizedType) else None
