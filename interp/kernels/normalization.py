"""batch_norm_training, batch_norm_inference and batch_norm_grad, step by step as the specification says."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from interp.backends import Array, Namespace, State, fl
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves, fold
from interp.engine.storage import expressed_type
from interp.kernels.elementwise import plain, through_floats
from spec.ir import Op
from spec.schedule import Schedule
from spec.types import ELEMENT_TYPES, ElementType

F32 = ELEMENT_TYPES["f32"]


class Batch:
    """The rounding arithmetic of one operation: its type, its feature dimension and its schedule."""

    def __init__(self, ctx: Context, op: Op) -> None:
        self.xp: Namespace = ctx.xp
        self.type: ElementType = expressed_type(op.operands[0].type.element_type)
        self.shape, self.feature_index = op.operands[0].type.shape, op["feature_index"]
        self.schedule: Schedule = ctx.schedule
        self.epsilon = self.number(fl(op["epsilon"], F32))
        others = [n for d, n in enumerate(self.shape) if d != self.feature_index]
        self.count = prod(others)
        self.elements_per_feature = self.number(float(self.count))
        add, subtract, multiply, divide, sqrt = (
            plain(self.xp, name, self.type, self.type)
            for name in ("add", "subtract", "multiply", "divide", "sqrt")
        )
        self.add, self.subtract, self.multiply, self.divide, self.sqrt = add, subtract, multiply, divide, sqrt

    def number(self, x: float) -> Array:
        """Return a constant of the element type."""
        return self.xp.asarray(fl(x, self.type), self.xp.carrier(self.type))

    def wide(self, x: Array) -> Array:
        """Return a number for each feature in the shape of the operand."""
        axes = [-1 if d == self.feature_index else 1 for d in range(len(self.shape))]
        return self.xp.broadcast_to(x.reshape(axes), self.shape)

    def sum(self, x: Array) -> Array:
        """Fold the elements of each feature, from an init of 0."""
        features = self.shape[self.feature_index]
        stacked = self.xp.moveaxis(x, self.feature_index, -1).reshape(self.count, features)
        init = (self.xp.broadcast_to(self.number(0.0), (features,)),)
        leaves = Leaves(self.count, lambda i: (stacked[i],), lambda: (stacked,))
        (total,), _ = fold(self.xp, lambda a, b, node: (self.add(*a, *b),), init, leaves, self.schedule)
        return total

    def mean(self, x: Array) -> Array:
        return self.divide(self.sum(x), self.elements_per_feature)


def _inference(b: Batch, operand: Array, *vectors: Array) -> State:
    scale, offset, mean, variance = map(b.wide, vectors)
    normalized = b.divide(b.subtract(operand, mean), b.sqrt(b.add(variance, b.epsilon)))
    return (b.add(b.multiply(scale, normalized), offset),)


def _training(b: Batch, operand: Array, scale: Array, offset: Array) -> State:
    mean = b.mean(operand)
    centered = b.subtract(operand, b.wide(mean))
    variance = b.mean(b.multiply(centered, centered))
    return (*_inference(b, operand, scale, offset, mean, variance), mean, variance)


def _grad(b: Batch, operand: Array, *others: Array) -> State:
    """Return grad_operand, grad_scale, grad_offset; every step of the formulas rounds."""
    scale, mean, variance = map(b.wide, others[:3])
    output, n = others[3], b.elements_per_feature
    centered, shifted = b.subtract(operand, mean), b.add(variance, b.epsilon)
    stddev = b.sqrt(shifted)
    grad_offset = b.sum(output)
    projected = b.wide(b.sum(b.multiply(output, centered)))
    rest = b.subtract(b.multiply(output, n), b.wide(grad_offset))
    rest = b.subtract(rest, b.divide(b.multiply(projected, centered), shifted))
    grad_operand = b.multiply(b.divide(b.divide(scale, stddev), n), rest)
    return grad_operand, b.sum(b.multiply(output, b.divide(centered, stddev))), grad_offset


def _kernel(formula: Callable[..., State]) -> Callable[..., Any]:
    return through_floats(lambda ctx, op, *operands: formula(Batch(ctx, op), *operands))


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.batch_norm_grad": _kernel(_grad),
    "stablehlo.batch_norm_inference": _kernel(_inference),
    "stablehlo.batch_norm_training": _kernel(_training),
}
# Their results depend on the schedule.
FOLDING = {"stablehlo.batch_norm_grad", "stablehlo.batch_norm_training"}
