"""Linear models and support vector machines of ai.onnx.ml; labels and probabilities of scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, array_of
from interp.apps.onnx.loading.normalization import along, soften
from interp.apps.onnx.loading.ordering import index_of_extreme
from interp.loading.build import F32, F64, I1, I64, Folds
from interp.loading.folding import fold
from spec.ir import Value
from spec.types import TensorType

TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
TINY = 1e-7  # what SOFTMAX_ZERO takes for zero, and how far probabilities of pairs are from 0 and 1


def numbers(n: Node, name: str) -> np.ndarray:
    """Return an attribute as an array: a tensor, or a list of integers, or of floats in f32."""
    value = n.attribute(name)
    if name.endswith(("_string", "_strings")):
        raise n.unsupported_error(f"attribute {name}", "expected numbers")
    if value is None:
        raise n.malformed_error(f"attribute {name} is missing")
    if hasattr(value, "data_type"):
        return np.asarray(array_of(value))
    values = value if isinstance(value, list) else [value]
    return np.asarray(values, np.float32 if any(isinstance(v, float) for v in values) else np.int64)


def floats(n: Node, name: str) -> np.ndarray:
    """Return an attribute as an array of f32, empty if it is absent."""
    return np.asarray(n.attribute(name, []), np.float32)


def rows(n: Node, features: int) -> Value:
    """Return x in f32, (rows, features); a vector is one row."""
    x = n.b.convert(n.value(0), F32)
    x = n.b.reshape(x, (1, *x.type.shape)) if x.type.rank == 1 else x
    if x.type.rank != 2 or x.type.shape[1] != features:
        raise n.malformed_error(f"expected (rows, {features}), got {n.type(0)!r}")
    return x


# Labels


def class_labels(n: Node, name: str) -> np.ndarray:
    """Return the labels of classes; `Unsupported` if they are strings."""
    if "classlabels_strings" in n.attributes:
        advice = "StableHLO has no strings: train with integers for classes"
        raise n.unsupported_error("labels are strings", advice)
    return numbers(n, name)


def labels_at(n: Node, labels: np.ndarray, index: Value) -> Value:
    return n.b.gather(n.b.array(labels, I64), index, 0)


# What becomes of scores, by the attribute `post_transform`


def transform(n: Node, scores: Value) -> Value:
    """Return scores (rows, classes) after the node's transform.

    Before one score, onnxruntime leaves out all but PROBIT: that is refused.
    """
    name, b = n.attribute("post_transform", "NONE"), n.b
    name = TRANSFORMS[name] if isinstance(name, int) and 0 <= name < len(TRANSFORMS) else name
    if name not in TRANSFORMS:
        raise n.malformed_error(f"post_transform {name!r}", f"expected one of {', '.join(TRANSFORMS)}")
    if scores.type.shape[1] == 1 and name in ("SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"):
        raise n.unsupported_error(
            f"{name} of one score", "onnxruntime leaves it out: expected NONE or PROBIT"
        )
    if name == "SOFTMAX":
        return soften(b, scores, [1])
    if name == "SOFTMAX_ZERO":
        return soften_but_zeros(b, scores)
    if name == "PROBIT":
        return probit(b, scores)
    return b.unary("logistic", scores) if name == "LOGISTIC" else scores


def second_class(n: Node, score: Value, is_mixed: bool) -> Value:
    """Return the scores of two classes for that of the second one: (rows, 1) -> (rows, 2).

    is_mixed: whether weights have both signs: then the scores are opposites, else they add up to 1. LOGISTIC
    makes them probabilities.
    """
    b, name = n.b, n.attribute("post_transform", "NONE")
    if name == "PROBIT":
        raise n.unsupported_error("PROBIT of one score for two classes")
    opposite = b.unary("negate", score)
    if name == "LOGISTIC":
        return b.unary("logistic", b.concatenate([opposite, score], 1))
    rest = opposite if is_mixed else b.binary("subtract", b.full(1, score.type), score)
    return b.concatenate([rest, score], 1)


def soften_but_zeros(b: Folds, x: Value) -> Value:
    """Return the softmax along rows of what is not zero."""
    most = along(b, fold(b, x, "maximum", [1]), x, [1])
    is_zero = b.compare("LE", b.unary("abs", x), b.full(TINY, x.type))
    powers = b.unary("exponential", b.binary("subtract", x, most))
    none = b.binary("multiply", x, b.unary("exponential", b.unary("negate", most)))
    total = fold(b, b.select(is_zero, b.full(0, x.type), powers), "add", [1])
    return b.binary("divide", b.select(is_zero, none, powers), along(b, total, x, [1]))


def probit(b: Folds, x: Value) -> Value:
    """Return the inverse of the normal distribution, by the approximation that ONNX's runtimes have."""
    x = b.binary_scalar("subtract", b.binary_scalar("multiply", x, 2), 1)
    one = b.full(1, x.type)
    log = b.unary("log", b.binary("multiply", b.binary("subtract", one, x), b.binary("add", one, x)))
    first = b.binary_scalar("add", b.binary_scalar("multiply", log, 0.5), 2 / (np.pi * 0.147))
    second = b.binary_scalar("multiply", log, 1 / 0.147)
    root = b.unary("sqrt", b.binary("subtract", b.binary("multiply", first, first), second))
    size = b.unary("sqrt", b.binary("subtract", root, first))
    signed = b.select(b.compare("LT", x, b.full(0, x.type)), b.unary("negate", size), size)
    return b.binary_scalar("multiply", signed, np.sqrt(2))


# Linear models


def linear_scores(n: Node, targets: int) -> Value:
    """Return the products with the coefficients plus the intercepts: (rows, targets)."""
    coefficients, intercepts = floats(n, "coefficients"), floats(n, "intercepts")
    if targets < 1 or not coefficients.size or coefficients.size % targets:
        raise n.malformed_error(f"{coefficients.size} coefficients for {targets} targets")
    if intercepts.size not in (0, targets):
        raise n.malformed_error(f"{intercepts.size} intercepts for {targets} targets")
    features = coefficients.size // targets
    scores = product(n.b, rows(n, features), coefficients.reshape(targets, features))
    return n.b.binary("add", scores, n.b.array(intercepts, F32)) if intercepts.size else scores


def product(b: Folds, x: Value, matrix: np.ndarray) -> Value:
    """Return x times the transposed matrix."""
    return b.dot_general(x, b.array(matrix, F32), ((), ()), ((1,), (1,)), F32)


def linear_regressor(n: Node) -> Value:
    return transform(n, linear_scores(n, n.attribute("targets", 1)))


def linear_classifier(n: Node) -> Sequence[Value]:
    """Return the class of the largest score, and the scores.

    One score for two classes is that of the second one, which wins above 0.
    """
    labels = class_labels(n, "classlabels_ints")
    count = floats(n, "intercepts").size or len(labels)
    scores = linear_scores(n, count)
    if len(labels) != max(count, 2):
        raise n.malformed_error(f"{len(labels)} labels for {count} scores")
    if count > 1:
        return [labels_at(n, labels, index_of_extreme(n.b, scores, "maximum", 1)), transform(n, scores)]
    wins = n.b.compare("GT", n.b.reshape(scores, scores.type.shape[:1]), n.b.full(0, F32))
    return [labels_at(n, labels, n.b.convert(wins, I64)), second_class(n, scores, False)]


# Support vector machines


def kernel(n: Node, x: Value, vectors: np.ndarray) -> Value:
    """Return the kernel of each row with each vector: (rows, vectors)."""
    b, name = n.b, n.attribute("kernel_type", "LINEAR")
    gamma, offset, degree = (*n.attribute("kernel_params", []), 0.0, 0.0, 0.0)[:3]
    if name == "RBF":
        shape = (x.type.shape[0], *vectors.shape)
        apart = b.binary("subtract", b.place(x, shape, [0, 2]), b.array(vectors, F32))
        distance = fold(b, b.binary("multiply", apart, apart), "add", [2])
        return b.unary("exponential", b.binary_scalar("multiply", distance, -gamma))
    out = product(b, x, vectors)
    if name == "LINEAR":
        return out
    out = b.binary_scalar("add", b.binary_scalar("multiply", out, gamma), offset)
    if name == "SIGMOID":
        return b.unary("tanh", out)
    if name != "POLY":
        raise n.malformed_error(f"kernel_type {name!r}", "expected LINEAR, POLY, RBF or SIGMOID")
    if degree in (2, 3):
        return reduce(lambda power, _: b.binary("multiply", power, out), range(int(degree) - 1), out)
    return b.binary_scalar("power", out, degree)


def support_vectors(n: Node, count: int) -> np.ndarray:
    """Return the support vectors, (count, features)."""
    vectors = floats(n, "support_vectors")
    if not vectors.size or vectors.size % count:
        raise n.malformed_error(f"{vectors.size} numbers of {count} support_vectors")
    return vectors.reshape(count, -1)


def svm_regressor(n: Node) -> Value:
    """Return the weighted sum of kernels plus rho, or with `one_class` its sign: (rows, 1)."""
    count, coefficients, rho = n.attribute("n_supports", 0), floats(n, "coefficients"), floats(n, "rho")
    if not rho.size or not coefficients.size or (count and coefficients.size != count):
        raise n.malformed_error(f"{coefficients.size} coefficients, {rho.size} rho, {count} vectors")
    if count:
        vectors = support_vectors(n, count)
        features = kernel(n, rows(n, vectors.shape[1]), vectors)
    else:
        features = rows(n, coefficients.size)
    out = n.b.binary_scalar("add", product(n.b, features, coefficients[None]), rho[0])
    if n.attribute("post_transform", "NONE") != "NONE":
        raise n.unsupported_error("a post_transform", "onnxruntime leaves it out: expected NONE")
    if not n.attribute("one_class", 0):
        return out
    signs = (n.b.full(sign, out.type) for sign in (1, -1))
    return n.b.select(n.b.compare("GT", out, n.b.full(0, out.type)), *signs)


def svm_classifier(n: Node) -> Sequence[Value]:
    """Return the class that wins most pairs, and scores: of pairs, or probabilities of classes."""
    labels, counts = class_labels(n, "classlabels_ints"), n.attribute("vectors_per_class", [])
    if not sum(counts):
        return linear_machine(n, labels)
    pairs = list(combinations(range(len(labels)), 2))
    sizes = [floats(n, name).size for name in ("rho", "prob_a", "prob_b")]
    if len(counts) != len(labels) or len(labels) < 2 or sizes[0] < len(pairs):
        raise n.malformed_error(f"{len(counts)} counts of vectors, {sizes[0]} rho, {len(labels)} classes")
    if sizes[1] != sizes[2] or (sizes[1] and sizes[1] < len(pairs)):
        raise n.malformed_error(f"{sizes[1]} prob_a, {sizes[2]} prob_b for {len(pairs)} pairs")
    decisions = decide_pairs(n, pairs, counts)
    votes = count_votes(n.b, decisions, pairs, len(labels))
    chosen = labels_at(n, labels, index_of_extreme(n.b, votes, "maximum", 1))
    if sizes[1]:
        return [chosen, transform(n, probabilities_of_pairs(n, decisions, pairs, len(labels)))]
    if len(labels) == 2:
        is_mixed = n.attribute("post_transform", "NONE") == "NONE"
        return [chosen, second_class(n, decisions, is_mixed)]
    return [chosen, transform(n, decisions)]


def decide_pairs(n: Node, pairs: Sequence[tuple[int, int]], counts: Sequence[int]) -> Value:
    """Return for each pair of classes the number whose sign says which one wins, summed in f64."""
    b, total = n.b, sum(counts)
    vectors, coefficients = support_vectors(n, total), floats(n, "coefficients")
    if coefficients.size < (len(counts) - 1) * total:
        raise n.malformed_error(f"{coefficients.size} coefficients for {total} vectors")
    table = coefficients[: (len(counts) - 1) * total].reshape(-1, total)
    of_class = np.repeat(np.arange(len(counts)), counts)
    weights = np.zeros((len(pairs), total), np.float32)
    for row, (i, j) in zip(weights, pairs, strict=True):
        row[:] = np.where(of_class == i, table[j - 1], np.where(of_class == j, table[i], 0))
    kernels = kernel(n, rows(n, vectors.shape[1]), vectors)
    shape = (kernels.type.shape[0], *weights.shape)
    terms = b.binary("multiply", b.place(kernels, shape, [0, 2]), b.array(weights, F32))
    sums = fold(b, b.convert(terms, F64), "add", [2])
    rho = floats(n, "rho")[: len(pairs)].astype(np.float64)
    return b.convert(b.binary("add", sums, b.array(rho, F64)), F32)


def count_votes(b: Folds, decisions: Value, pairs: Sequence[tuple[int, int]], classes: int) -> Value:
    """Return how many pairs each class wins: (rows, classes)."""
    first_wins = b.convert(b.compare("GT", decisions, b.full(0, decisions.type)), I64)
    signs, offsets = np.zeros((classes, len(pairs)), np.int64), np.zeros(classes, np.int64)
    for k, (i, j) in enumerate(pairs):
        signs[i, k], signs[j, k] = 1, -1
        offsets[j] += 1
    shape = (decisions.type.shape[0], classes, len(pairs))
    terms = b.binary("multiply", b.place(first_wins, shape, [0, 2]), b.array(signs, I64))
    return b.binary("add", fold(b, terms, "add", [2]), b.array(offsets, I64))


def linear_machine(n: Node, labels: np.ndarray) -> Sequence[Value]:
    """Return the class and the scores of a machine without vectors, as onnxruntime chooses it."""
    b, coefficients, rho = n.b, floats(n, "coefficients"), floats(n, "rho")
    if not rho.size or not coefficients.size or coefficients.size % len(labels):
        raise n.malformed_error(f"{coefficients.size} coefficients, {rho.size} rho, {len(labels)} classes")
    matrix = coefficients.reshape(len(labels), -1)
    scores = b.binary_scalar("add", product(b, rows(n, matrix.shape[1]), matrix), rho[0])
    index = index_of_extreme(b, scores, "maximum", 1)
    if len(labels) == 2 and not floats(n, "prob_a").size:
        most = fold(b, scores, "maximum", [1])
        is_positive = bool((coefficients >= 0).all())
        least = b.full(0.5 if is_positive else 0, most.type)
        wins = b.compare("GE" if is_positive else "GT", most, least)
        index = b.select(wins, b.full(1, index.type), index)
    return [labels_at(n, labels, index), transform(n, scores)]


def probabilities_of_pairs(
    n: Node, decisions: Value, pairs: Sequence[tuple[int, int]], classes: int
) -> Value:
    """Return the probabilities of classes that fit those of pairs best: (rows, classes)."""
    b, count = n.b, len(pairs)
    slopes, offsets = (b.array(floats(n, name)[:count], F32) for name in ("prob_a", "prob_b"))
    gates = b.unary("logistic", b.binary("add", b.binary("multiply", decisions, slopes), offsets))
    first = b.clamp(TINY, b.binary("subtract", b.full(1, gates.type), gates), 1 - TINY)
    chances = b.concatenate([first, b.binary("subtract", b.full(1, first.type), first)], 1)
    wins = np.zeros((classes, classes), np.int64)  # the column of the chance that a class wins over another
    for k, (i, j) in enumerate(pairs):
        wins[i, j], wins[j, i] = k, k + count
    return couple(b, b.gather(chances, b.array(wins, I64), 1), classes)


def couple(b: Folds, chances: Value, classes: int) -> Value:
    """Return the probabilities p of classes (rows, classes) that minimize p' Q p, by libsvm's iteration.

    Q has the squares of chances against a class, and the negative products of both chances of two classes.
    A row stays as it is once its error is below 0.005 / classes, or after 100 steps.
    """
    shape, rest = chances.type.shape, b.array(1 - np.eye(classes), F32)
    against = b.transpose(chances, (0, 2, 1))
    squares = fold(b, b.binary("multiply", rest, b.binary("multiply", against, against)), "add", [2])
    products = b.binary("multiply", rest, b.binary("multiply", against, chances))
    diagonal = b.binary("multiply", b.place(squares, shape, [0, 1]), b.array(np.eye(classes), F32))
    form = b.binary("subtract", diagonal, products)

    def step(inner: Folds, state: list[Value]) -> Sequence[Value]:
        count, p, _ = state
        row = inner.place(p, shape, [0, 2])
        slopes = fold(inner, inner.binary("multiply", form, row), "add", [2])
        total = fold(inner, inner.binary("multiply", p, slopes), "add", [1])
        total = inner.reshape(total, (shape[0], 1))
        errors = inner.unary("abs", inner.binary("subtract", slopes, total))
        most = inner.reshape(fold(inner, errors, "maximum", [1]), (shape[0], 1))
        is_open = inner.compare("GE", most, inner.full(0.005 / classes, most.type))
        moved = move(inner, form, p, slopes, total)
        return [inner.binary_scalar("add", count, 1), inner.select(is_open, moved, p), is_open]

    def goes_on(inner: Folds, state: list[Value]) -> Sequence[Value]:
        is_early = inner.compare("LT", state[0], inner.full(100, I64))
        return [inner.binary("and", is_early, fold(inner, state[2], "maximum", [0, 1]))]

    start = b.full(1 / classes, TensorType(shape[:2], F32))
    opened = b.full(1, TensorType((shape[0], 1), I1))
    return b.repeat([b.full(0, I64), start, opened], goes_on, step)[1]


def move(b: Folds, form: Value, p: Value, slopes: Value, total: Value) -> Value:
    """Return p after one step along each class in turn; slopes: Q p; total: p' Q p, (rows, 1)."""
    for k in range(form.type.shape[1]):
        row, slope = b.row(form, k, 1), b.slice_in(slopes, 1, k, k + 1)
        pivot = b.slice_in(row, 1, k, k + 1)
        by = b.binary("divide", b.binary("subtract", total, slope), pivot)
        whole = b.binary_scalar("add", by, 1)
        twice = b.binary("add", b.binary("multiply", by, pivot), b.binary_scalar("multiply", slope, 2))
        total = b.binary("add", total, b.binary("multiply", by, twice))
        total = b.binary("divide", b.binary("divide", total, whole), whole)
        slopes = b.binary("divide", b.binary("add", slopes, b.binary("multiply", by, row)), whole)
        unit = b.array(np.arange(form.type.shape[1]) == k, I1)
        p = b.binary("divide", b.select(unit, b.binary("add", p, by), p), whole)
    return p


TABLE: dict[str, Build] = {
    "LinearClassifier": linear_classifier,
    "LinearRegressor": linear_regressor,
    "SVMClassifier": svm_classifier,
    "SVMRegressor": svm_regressor,
}
