"""Batch norms, feature by feature, over lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cases.exact.contractions import INEXACT
from cases.exact.evaluate import Array, Index, Program, indices, number, plain, put
from cases.exact.floats import add, divide, fl, multiply, square_root, subtract
from spec.ir import Op


def summed(values: Sequence[float], t: str) -> float:
    """Add from the left, to 0; another order may give another sum."""
    total = fl(0.0, t)
    for x in values:
        total = add(total, x, t)
    INEXACT.append("batch norm")
    return total


class Feature:
    """The elements of one feature: their indices, and the operands' numbers there."""

    def __init__(self, op: Op, k: int, operands: Sequence[Array]) -> None:
        self.t = plain(operands[0].type).name
        d = op["feature_index"]
        self.at = [i for i in operands[0].at if i[d] == k]
        self.epsilon = fl(fl(op["epsilon"], "f32"), self.t)
        whole = (0, 4) if op.name.endswith("grad") else (0,)
        self.numbers: list[Any] = [
            [number(x, i) for i in self.at] if place in whole else number(x, (k,))
            for place, x in enumerate(operands)
        ]

    @property
    def n(self) -> float:
        return fl(float(len(self.at)), self.t)

    def mean(self, values: Sequence[float]) -> float:
        return divide(summed(values, self.t), self.n, self.t)

    def variance(self, values: Sequence[float]) -> float:
        mean = self.mean(values)
        apart = [subtract(x, mean, self.t) for x in values]
        return self.mean([multiply(x, x, self.t) for x in apart])

    def deviation(self, variance: float) -> float:
        return square_root(add(variance, self.epsilon, self.t), self.t)

    def normal(self, values: Sequence[float], mean: float, variance: float) -> list[float]:
        deviation = self.deviation(variance)
        return [divide(subtract(x, mean, self.t), deviation, self.t) for x in values]

    def scaled(
        self, values: Sequence[float], scale: float, offset: float, mean: float, variance: float
    ) -> list[float]:
        normal = self.normal(values, mean, variance)
        return [add(multiply(scale, x, self.t), offset, self.t) for x in normal]


def inference(f: Feature) -> tuple[list[float]]:
    return (f.scaled(*f.numbers),)


def training(f: Feature) -> tuple[list[float], float, float]:
    values, scale, offset = f.numbers
    mean, variance = f.mean(values), f.variance(values)
    return f.scaled(values, scale, offset, mean, variance), mean, variance


def grad(f: Feature) -> tuple[list[float], float, float]:
    t, (values, scale, mean, variance, output) = f.t, f.numbers
    apart = [subtract(x, mean, t) for x in values]
    total, along = (
        summed(output, t),
        summed([multiply(g, x, t) for g, x in zip(output, apart, strict=True)], t),
    )
    shifted = add(variance, f.epsilon, t)
    factor = divide(divide(scale, f.deviation(variance), t), f.n, t)
    found = []
    for g, x in zip(output, apart, strict=True):
        rest = subtract(multiply(g, f.n, t), total, t)
        found.append(multiply(factor, subtract(rest, divide(multiply(along, x, t), shifted, t), t), t))
    normal = f.normal(values, mean, variance)
    return found, summed([multiply(g, x, t) for g, x in zip(output, normal, strict=True)], t), total


FORMULAS: dict[str, Any] = {"training": training, "inference": inference, "grad": grad}


def batch_norm(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    formula = FORMULAS[op.name.rpartition("_")[2]]
    found: list[dict[Index, Any]] = [{} for _ in op.results]
    for k in range(op.operands[0].type.shape[op["feature_index"]]):
        feature = Feature(op, k, operands)
        for result, place, value in zip(op.results, found, formula(feature), strict=True):
            pairs = zip(feature.at, value, strict=True) if isinstance(value, list) else [((k,), value)]
            place.update({i: put(x, result.type, i) for i, x in pairs})
    return [{i: place[i] for i in indices(v.type.shape)} for v, place in zip(op.results, found, strict=True)]
