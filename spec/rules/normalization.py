"""The constraint rows of batch_norm_training, batch_norm_inference and batch_norm_grad."""

from __future__ import annotations

from spec.ir import Op, Value
from spec.rules.common import SHOWN, scalar
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import (
    baseline_of,
    element_type,
    is_per_tensor,
    kind,
    operand,
    rank,
    same,
    shape,
    values,
)

Rows = tuple[Constraint, ...]


def is_real(value: Value) -> bool:
    """Return whether a value is a floating-point or per-tensor quantized tensor."""
    return kind(element_type(value)) in ("float", "quantized") and is_per_tensor(value)


def takes_and_gives(operands: int, results: int) -> Constraint:
    return Input(
        1,
        f"operand: the first of {operands} operands for {results} results, of floating-point or per-tensor "
        "quantized type",
        lambda op: (
            len(op.operands) == operands and len(op.results) == results and all(map(is_real, values(op)))
        ),
        SHOWN,
    )


def vectors(names: str, last: int) -> Constraint:
    """Return the row for vector operands, from the second to number `last`."""
    return Input(
        2, f"{names}: 1-dimensional", lambda op: all(rank(v) == 1 for v in op.operands[1:last]), SHOWN
    )


def attributes(number: int) -> Rows:
    """Return the rows of epsilon, which has this number, and feature_index."""
    return (
        Input(
            number, "epsilon: constant of type f32", lambda op: isinstance(op["epsilon"], float), "epsilon"
        ),
        scalar(number + 1, "feature_index"),
    )


FEATURE = C(1, "0 <= feature_index < rank(operand)", show="feature_index, rank(operand)")
BASELINES = C(
    2,
    "all operands and results have the same baseline_element_type",
    lambda op: same(map(baseline_of, values(op))),
    SHOWN,
)


def features(op: Op) -> tuple[int]:
    """Return the shape of a vector with one number for each feature."""
    return (shape(operand(op))[op["feature_index"]],)


def feature_size_row(number: int, name: str, index: int) -> Constraint:
    """Return the row for an operand, or from index 10 on for a result."""
    value = lambda op: op.results[index - 10] if index >= 10 else op.operands[index]
    holds = lambda op: shape(value(op)) == features(op)
    return C(number, f"size({name}) = dim(operand, feature_index)", holds, f"feature_index, {SHOWN}")


TYPES = C(7, "baseline_type(operand) = baseline_type(results[0])", show=SHOWN)
BATCH_NORM_INFERENCE = (
    takes_and_gives(5, 1),
    vectors("scale, offset, mean, variance", 5),
    *attributes(6),
    FEATURE,
    BASELINES,
    feature_size_row(3, "scale", 1),
    feature_size_row(4, "offset", 2),
    feature_size_row(5, "mean", 3),
    feature_size_row(6, "variance", 4),
    TYPES,
)
BATCH_NORM_TRAINING = (
    takes_and_gives(3, 3),
    vectors("scale, offset", 3),
    *attributes(4),
    FEATURE,
    BASELINES,
    feature_size_row(3, "scale", 1),
    feature_size_row(4, "offset", 2),
    feature_size_row(5, "batch_mean", 11),
    feature_size_row(6, "batch_var", 12),
    TYPES,
)


def whole(op: Op) -> list[tuple[int, ...]]:
    """Return the shapes of operand, grad_output and grad_operand."""
    return [shape(v) for v in (op.operands[0], op.operands[4], op.results[0])]


BATCH_NORM_GRAD = (
    takes_and_gives(5, 3),
    vectors("scale, mean, variance", 4),
    *attributes(6),
    FEATURE,
    BASELINES,
    C(3, "operand, grad_output and grad_operand have the same shape", lambda op: same(whole(op)), SHOWN),
    C(
        4,
        "scale, mean, variance, grad_scale and grad_offset have the same shape",
        lambda op: same(map(shape, (*op.operands[1:4], *op.results[1:]))),
        SHOWN,
    ),
    feature_size_row(5, "scale", 1),
)

NORMALIZATION_CONSTRAINTS: dict[str, Rows] = {
    "stablehlo.batch_norm_grad": BATCH_NORM_GRAD,
    "stablehlo.batch_norm_inference": BATCH_NORM_INFERENCE,
    "stablehlo.batch_norm_training": BATCH_NORM_TRAINING,
}
