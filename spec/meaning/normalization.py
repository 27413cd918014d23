"""Batch norm for training and inference, and its gradient: compositions of operations that each round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from spec.formats import round_to
from spec.ir import Op
from spec.meaning import numbers, transcendental
from spec.meaning.index import Context, Index, Meaning, Order, Results, Tensor, build, index_space
from spec.meaning.notation import dequantize, fold, quantize
from spec.meaning.sums import sum_of_numbers
from spec.types import ELEMENT_TYPES, ElementType, TensorType

F32 = ELEMENT_TYPES["f32"]


@dataclass(frozen=True)
class Batch:
    """The type of `operand`, its feature dimension, epsilon in its type, and the schedule of its sums."""

    type: TensorType
    feature_index: int
    epsilon: float
    schedule: Order

    @property
    def element(self) -> ElementType:
        return self.type.tensor_element_type

    @property
    def elements_per_feature(self) -> float:
        """constant(size(operand) / dim(operand, feature_index), element_type(operand))"""
        others = (n for d, n in enumerate(self.type.shape) if d != self.feature_index)
        return round_to(float(prod(others)), self.element)

    def pointwise(self, name: str, *tensors: Tensor) -> Tensor:
        """Return an op on tensors of the same type."""
        f = FUNCTIONS[name]
        rows = zip(*(x.elements for x in tensors), strict=True)
        return Tensor(tensors[0].type, tuple(f(*row, self.element) for row in rows))

    def along_features(self, x: Tensor) -> Tensor:
        """broadcast_in_dim(x, [feature_index], type(operand))"""
        return build(self.type, lambda index: x[(index[self.feature_index],)])

    def everywhere(self, x: float, type: TensorType | None = None) -> Tensor:
        """broadcast_in_dim(x, [], type)"""
        return build(type or self.type, lambda index: x)

    def compute_sum(self, x: Tensor) -> Tensor:
        """reduce(x, constant(0), [i for i in range(rank(operand)) if i != feature_index], add)"""
        add = lambda a, b: (numbers.add(a, b, self.element),)

        def total(index: Index) -> float:
            here = [i for i in index_space(self.type.shape) if i[self.feature_index] == index[0]]
            leaves = [(round_to(0.0, self.element),), *((x[i],) for i in here)]
            sum = sum_of_numbers(leaves, self.element)
            return fold(add, leaves, [True] * len(leaves), self.schedule, True, sum)[0]

        return build(TensorType((self.type.shape[self.feature_index],), self.element), total)

    def compute_mean(self, x: Tensor) -> Tensor:
        """divide(compute_sum(x), elements_per_feature)"""
        sum = self.compute_sum(x)
        return self.pointwise("divide", sum, self.everywhere(self.elements_per_feature, sum.type))

    def compute_variance(self, operand: Tensor) -> Tensor:
        centered = self.pointwise("subtract", operand, self.along_features(self.compute_mean(operand)))
        return self.compute_mean(self.pointwise("multiply", centered, centered))


FUNCTIONS: dict[str, Callable[..., float]] = {
    "add": numbers.add,
    "divide": numbers.divide,
    "multiply": numbers.multiply,
    "sqrt": transcendental.sqrt,
    "subtract": numbers.subtract,
}


def inference(b: Batch, *operands: Tensor) -> Results:
    """scale * ((operand - mean) / sqrt(variance + epsilon)) + offset"""
    operand, scale, offset, mean, variance = operands[0], *map(b.along_features, operands[1:])
    centered_operand = b.pointwise("subtract", operand, mean)
    stddev = b.pointwise("sqrt", b.pointwise("add", variance, b.everywhere(b.epsilon)))
    normalized_operand = b.pointwise("divide", centered_operand, stddev)
    return (b.pointwise("add", b.pointwise("multiply", scale, normalized_operand), offset),)


def training(b: Batch, operand: Tensor, scale: Tensor, offset: Tensor) -> Results:
    """batch_norm_inference(operand, scale, offset, mean, variance), mean, variance"""
    mean, variance = b.compute_mean(operand), b.compute_variance(operand)
    return (*inference(b, operand, scale, offset, mean, variance), mean, variance)


def grad(b: Batch, *operands: Tensor) -> Results:
    """Return grad_operand, grad_scale and grad_offset by the specification's steps, with its names."""
    operand, grad_output = operands[0], operands[4]
    scale, mean, variance = map(b.along_features, operands[1:4])
    op = b.pointwise
    centered_operand = op("subtract", operand, mean)
    shifted_variance = op("add", variance, b.everywhere(b.epsilon))
    stddev = op("sqrt", shifted_variance)
    normalized_operand = op("divide", centered_operand, stddev)
    elements_per_feature = b.everywhere(b.elements_per_feature)
    i1 = op("multiply", grad_output, elements_per_feature)
    i2 = b.along_features(b.compute_sum(grad_output))
    i3 = b.along_features(b.compute_sum(op("multiply", grad_output, centered_operand)))
    i4 = op("multiply", i3, centered_operand)
    i5 = op("divide", i4, shifted_variance)
    i6 = op("subtract", op("subtract", i1, i2), i5)
    grad_operand = op("multiply", op("divide", op("divide", scale, stddev), elements_per_feature), i6)
    grad_scale = b.compute_sum(op("multiply", grad_output, normalized_operand))
    return grad_operand, grad_scale, b.compute_sum(grad_output)


def on_floats(meaning: Callable[..., Results]) -> Meaning:
    """Return the op with this meaning on floats; quantized operands are dequantized, results quantized."""

    def run(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        """dequantize_batch_norm_grad_or_training_quantize(op, operands..., type(results)...)"""
        real = [dequantize(x) if x.type.is_quantized else x for x in operands]
        type = real[0].type
        epsilon = round_to(round_to(op["epsilon"], F32), type.tensor_element_type)
        results = meaning(Batch(type, op["feature_index"], epsilon, context.schedule), *real)
        stored = lambda x, type: quantize(x, type) if type.is_quantized else x
        return tuple(stored(x, v.type) for x, v in zip(results, op.results, strict=True))

    return run


MEANINGS: dict[str, Meaning] = {
    "stablehlo.batch_norm_grad": on_floats(grad),
    "stablehlo.batch_norm_inference": on_floats(inference),
    "stablehlo.batch_norm_training": on_floats(training),
}
