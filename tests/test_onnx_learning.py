"""Operators of ai.onnx.ml that converters of scikit-learn write, beside onnxruntime on random models."""

# ruff: noqa: E402

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import interp
from tests.library.onnx.onnx_single_nodes import (
    LEARNING,
    RNG,
    Case,
    by_runtime,
    check,
    declare,
    floats,
    integers,
    model_of,
)

OLD: Any = {"judges": "runtime", "rtol": 3e-6, **LEARNING}
X = floats(7, 4)
HALVES = integers(-3, 4, 9, 4).astype(np.float32) / 2  # many are equal to thresholds
LABELS = [5, -2, 9]


def numbers(*shape: int) -> list[float]:
    return RNG.standard_normal(shape).astype(np.float32).reshape(-1).tolist()


# Features

FEATURES = [
    *(Case("Normalizer", [x], {"norm": norm}, **OLD) for norm in ("MAX", "L1", "L2")
      for x in (X, np.float32([[0, 0], [-1, 1], [3, -4]]), integers(-3, 4, 5, 3))),
    Case("Scaler", [X], {"offset": numbers(4), "scale": numbers(4)}, **OLD),
    Case("Scaler", [integers(-9, 9, 3, 4)], {"offset": [0.5], "scale": [0.3]}, **OLD),
    Case("Imputer", [np.where(X > 0.5, np.nan, X)],
         {"imputed_value_floats": numbers(4), "replaced_value_float": float("nan")}, **OLD),
    Case("Imputer", [integers(-1, 2, 3, 4)],
         {"imputed_value_int64s": [7], "replaced_value_int64": -1}, **OLD),
    Case("OneHotEncoder", [integers(-2, 5, 3, 4)], {"cats_int64s": [3, -1, 0, 3]}, **OLD),
    Case("OneHotEncoder", [np.float32([0.9, -1.5, 3.2])], {"cats_int64s": [3, -1, 0]}, **OLD),
    Case("OneHotEncoder", [integers(0, 3, 5)], {"cats_int64s": [2, 1, 0], "zeros": 0}, **OLD),
    Case("FeatureVectorizer", [floats(3, 2), floats(3, 4)], {"inputdimensions": [2, 4]}, **OLD),
]  # fmt: skip


@pytest.mark.parametrize("case", FEATURES, ids=[f"{c.operator}-{k}" for k, c in enumerate(FEATURES)])
def test_features(case: Case) -> None:
    check(case)


def test_a_number_without_a_category_has_no_plausible_code() -> None:
    """Where `zeros` is 0, onnxruntime fails at it."""
    model, arrays = model_of(
        Case("OneHotEncoder", [np.int64([1, 7])], {"cats_int64s": [1, 2], "zeros": 0}, **OLD)
    )
    with pytest.raises(Exception, match="Unknown Category"):
        by_runtime(model, arrays)
    (y,) = interp.run(interp.load(model), arrays["x0"])
    np.testing.assert_array_equal(np.asarray(y), [[1, 0], [np.nan, np.nan]])


# Linear models and support vector machines

TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def linear(x: np.ndarray, count: int, transform: str, labels: Sequence[int]) -> Case:
    scale = 0.01 if transform == "PROBIT" else 1  # scores in (0, 1)
    attributes = {
        "coefficients": [scale * c for c in numbers(count, 4)],
        "intercepts": [0.5 + scale * c for c in numbers(count)],
        "post_transform": transform,
    }
    if labels:
        return Case("LinearClassifier", [x], attributes | {"classlabels_ints": labels}, outputs=2, **OLD)
    return Case("LinearRegressor", [x], attributes | {"targets": count}, **OLD)


LINEAR = [
    *(linear(X, 3, transform, labels) for transform in TRANSFORMS for labels in (LABELS, [])),
    *(linear(X, 1, transform, LABELS[:2]) for transform in ("NONE", "SOFTMAX", "LOGISTIC")),
    *(linear(x, 3, "NONE", LABELS) for x in (X.astype(np.float64), integers(-5, 5, 7, 4), floats(4))),
    linear(X, 1, "PROBIT", []),
]
KERNELS: dict[str, list[float]] = {
    "LINEAR": [0.0, 0.0, 0.0],
    "RBF": [0.3, 0.0, 0.0],
    "SIGMOID": [0.3, 0.1, 0.0],
    "POLY": [0.3, 0.7, 3.0],
}


def machine(kernel: str, classes: int, transform: str = "NONE", chances: bool = False) -> Case:
    counts = [2, 3, 1, 2][:classes]
    total, pairs = sum(counts), classes * (classes - 1) // 2
    attributes: Any = {
        "kernel_type": kernel,
        "kernel_params": KERNELS[kernel],
        "support_vectors": numbers(total, 4),
        "coefficients": numbers(max(classes - 1, 1), total),
        "rho": numbers(max(pairs, 1)),
    }
    if classes == 1:
        return Case("SVMRegressor", [X], attributes | {"n_supports": total}, **OLD)
    attributes |= {"vectors_per_class": counts, "classlabels_ints": [*LABELS, 7][:classes]}
    if chances:
        attributes |= {"prob_a": [-abs(a) for a in numbers(pairs)], "prob_b": numbers(pairs)}
    return Case("SVMClassifier", [X], attributes | {"post_transform": transform}, outputs=2, **OLD)


PLAIN = {"rho": [0.2], "kernel_type": "LINEAR", "kernel_params": KERNELS["LINEAR"]}
MACHINES = [
    *(machine(kernel, classes) for kernel, classes in product(KERNELS, (1, 2, 3))),
    *(machine("RBF", classes, transform) for transform in TRANSFORMS[1:4] for classes in (2, 3)),
    *(machine("RBF", classes, chances=True) for classes in (2, 3, 4, 4, 4)),
    Case("SVMRegressor", [X],
         {"coefficients": numbers(4), "one_class": 1, "n_supports": 0} | PLAIN, **OLD),
    *(Case("SVMClassifier", [X], {"coefficients": [sign(c) for c in numbers(k, 4)],
                                  "classlabels_ints": LABELS[:k]} | PLAIN, outputs=2, **OLD)
      for k, sign in ((2, float), (2, abs), (3, float))),
]  # fmt: skip


@pytest.mark.parametrize("case", [*LINEAR, *MACHINES], ids=lambda case: case.operator)
def test_scores(case: Case) -> None:
    check(case)


# Ensembles of trees


def older_ensemble(
    kind: str, targets: int, votes: Sequence[int], x: np.ndarray = HALVES, sign: Any = float, **others: Any
) -> Case:
    """Return five trees of at most three levels, whose leaves vote for one or two of `votes`."""
    rows: list[list[Any]] = []
    leaves: list[tuple[int, int, int, float]] = []

    def grow(tree: int, levels: int) -> int:
        place = sum(row[0] == tree for row in rows)
        is_leaf = levels == 0 or (levels < 3 and RNG.random() < 0.3)
        mode = "LEAF" if is_leaf else f"BRANCH_{RNG.choice(['LEQ', 'LT', 'GTE', 'GT', 'EQ', 'NEQ'])}"
        row = [tree, place, int(RNG.integers(0, 4)), mode, float(RNG.integers(-3, 4)) / 2, 0, 0]
        rows.append(row)
        if is_leaf:
            chosen = RNG.permutation(votes)[: 1 + RNG.integers(0, 2)]
            leaves.extend((tree, place, int(c), sign(RNG.standard_normal() / 4)) for c in chosen)
        else:
            row[5:] = grow(tree, levels - 1), grow(tree, levels - 1)
        return place

    for tree in range(5):
        grow(tree, 3 if tree else 0)
    names = ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")
    columns = zip(names, zip(*rows, strict=True), strict=True)
    attributes: Any = {f"nodes_{name}": list(column) for name, column in columns}
    attributes["nodes_missing_value_tracks_true"] = [int(n) for n in RNG.integers(0, 2, len(rows))]
    columns = zip(("treeids", "nodeids", "ids", "weights"), zip(*leaves, strict=True), strict=True)
    attributes |= {f"{kind}_{name}": list(column) for name, column in columns}
    if kind == "target":
        return Case("TreeEnsembleRegressor", [x], attributes | {"n_targets": targets} | others, **OLD)
    attributes |= {"classlabels_int64s": [*LABELS, 7][:targets]} | others
    return Case("TreeEnsembleClassifier", [x], attributes, outputs=2, **OLD)


HOLES = np.where(RNG.random(HALVES.shape) < 0.3, np.nan, HALVES).astype(np.float32)
REGRESSORS = [
    *(older_ensemble("target", targets, range(targets), aggregate_function=how)
      for how in ("SUM", "AVERAGE", "MIN", "MAX") for targets in (1, 3)),
    older_ensemble("target", 3, [0, 1, 2], HOLES, base_values=[0.5, -1.0, 2.0], post_transform="SOFTMAX"),
    older_ensemble("target", 1, [0], HALVES.astype(np.float64), base_values=[0.5]),
    older_ensemble("target", 2, [0, 1], base_values=[1.0, 2.0], aggregate_function="MIN"),
]  # fmt: skip
CLASSIFIERS = [
    *(older_ensemble("class", 3, [0, 1, 2], post_transform=transform) for transform in TRANSFORMS[:4]),
    older_ensemble("class", 4, [0, 1, 3], HOLES, base_values=[0.1, 0.2, -0.3, 0.4]),
    older_ensemble("class", 4, [0, 1, 3], sign=lambda w: -abs(w)),
    *(older_ensemble("class", 2, [0], sign=sign, post_transform=transform)
      for sign in (float, abs) for transform in TRANSFORMS[:3]),
    older_ensemble("class", 2, [0], base_values=[0.3], post_transform="LOGISTIC"),
    older_ensemble("class", 2, [1], sign=abs),
    older_ensemble("class", 2, [0], HALVES.astype(np.float64), sign=abs),
]  # fmt: skip


@pytest.mark.parametrize("case", [*REGRESSORS, *CLASSIFIERS], ids=lambda case: case.operator)
def test_older_ensembles(case: Case) -> None:
    check(case)


def test_of_two_classes_with_votes_the_larger_sum_wins() -> None:
    """As the text says: onnxruntime gives the label 1 wherever the second class has a positive sum.

    Where it has no votes at all, onnxruntime takes the sum of the first class for that of the second one.
    """
    model, arrays = model_of(older_ensemble("class", 2, [0, 1], sign=abs))
    theirs = by_runtime(model, arrays)
    label, scores = map(np.asarray, interp.run(interp.load(declare(model, theirs)), HALVES))
    has_both = theirs[1][:, 0] != -theirs[1][:, 1]
    np.testing.assert_allclose(scores[has_both], theirs[1][has_both], rtol=1e-6)
    assert np.array_equal(label, np.where(scores[:, 1] > scores[:, 0], LABELS[1], LABELS[0]))
    assert len(set(label.tolist())) == 2


REFUSED = [
    (Case("ZipMap", [X], {"classlabels_int64s": [1, 2, 3, 4]}, **OLD), r"options=\{'zipmap': False\}"),
    (Case("LinearClassifier", [X], {"coefficients": [1.0] * 8, "intercepts": [0.0, 0.0],
                                    "classlabels_strings": ["a", "b"]}, outputs=2, **OLD),
     "labels are strings"),
    (linear(X, 1, "LOGISTIC", []), "LOGISTIC of one score\n  onnxruntime leaves it out"),
    (older_ensemble("target", 1, [0], n_targets=1 << 60), "targets for .* leaves"),
    (older_ensemble("class", 2, [0], base_values=[0.1, 0.2]), "2 base_values, and votes for one of two"),
    (linear(floats(7, 3), 3, "NONE", LABELS), r"expected \(rows, 4\)"),
    (older_ensemble("target", 1, [0], floats(3, 2)), "nodes_featureids out of range"),
    (Case("TreeEnsembleRegressor", [X], {**REGRESSORS[0].attributes, "target_ids": [8] * 99}, **OLD),
     "different lengths"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_is_refused(case: Case, message: str) -> None:
    with pytest.raises(interp.InterpError, match=message):
        interp.load(model_of(case)[0])
