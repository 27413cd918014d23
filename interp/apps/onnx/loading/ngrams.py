"""TfIdfVectorizer: how often each of a pool of short sequences, the n-grams, occurs in rows of integers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import F32, I1, I32, I64
from interp.loading.folding import fold
from interp.loading.writer import LARGEST
from spec.ir import Value
from spec.types import TensorType

Gram = tuple[int, ...]


def tf_idf_vectorizer(n: Node) -> Value:
    """Return the counts of n-grams, whether they occur, or either times weights."""
    x = n.b.convert(n.value(0), I64)
    if x.type.rank > 2:
        raise n.malformed_error(f"expected a row or rows, got {x.type!r}")
    rows = n.b.reshape(x, (1, x.type.size)) if x.type.rank < 2 else x
    places = n.attribute("ngram_indexes")
    if len(places) * (max(places) + 1) > LARGEST:
        raise n.malformed_error(f"{len(places)} n-grams for {max(places) + 1} places")
    counts = n.b.full(0, TensorType((rows.type.shape[0], max(places) + 1), I32))
    for size, grams in _pool(n).items():
        for step in _steps(n, size, rows.type.shape[1]):
            counts = n.b.binary("add", counts, _count(n, rows, grams, size, step, counts.type))
    out = _weigh(n, counts)
    return n.b.reshape(out, out.type.shape[1:]) if x.type.rank < 2 else out


def _pool(n: Node) -> dict[int, dict[Gram, int]]:
    """Return the n-grams of each size, with their places in the result; of equal ones, that of the last."""
    pool, places = n.attribute("pool_int64s"), n.attribute("ngram_indexes")
    if not pool:
        raise n.unsupported_error("n-grams of strings", "expected pool_int64s")
    starts = [*n.attribute("ngram_counts"), len(pool)]
    grams: dict[int, dict[Gram, int]] = {}
    first = 0
    for size, (start, end) in enumerate(pairwise(starts), 1):
        count = (end - start) // size
        if start < 0 or end < start or first + count > len(places) or min(places) < 0:
            raise n.malformed_error(f"ngram_counts {starts[:-1]}, ngram_indexes and pool_int64s do not fit")
        if n.attribute("min_gram_length") <= size <= n.attribute("max_gram_length"):
            parts = [tuple(pool[start + k * size : start + (k + 1) * size]) for k in range(count)]
            grams[size] = dict(zip(parts, places[first:], strict=False))
        first += count
    return {size: found for size, found in grams.items() if found}


def _steps(n: Node, size: int, columns: int) -> range:
    """Return the distances at which the elements of an n-gram fit in a row; a single element has none."""
    if size == 1:
        return range(1, 2 if columns else 1)
    return range(1, min(n.attribute("max_skip_count") + 2, -(-columns // (size - 1))))


def _count(n: Node, rows: Value, grams: dict[Gram, int], size: int, step: int, type: TensorType) -> Value:
    """Return how often n-grams of one size occur with one distance of their elements."""
    b, count = n.b, rows.type.shape[1] - step * (size - 1)
    shape = (rows.type.shape[0], count, len(grams))
    pool = np.asarray(list(grams), np.int64)
    equal = b.full(1, TensorType(shape, I1))
    for k in range(size):
        part = b.slice_in(rows, 1, k * step, k * step + count)
        wanted = b.array(pool[:, k], I64)
        same = b.compare("EQ", b.place(part, shape, (0, 1)), b.place(wanted, shape, (2,)))
        equal = b.binary("and", equal, same)
    numbers = fold(b, b.convert(equal, I32), "add", [1])
    moves = np.zeros((len(grams), type.shape[1]), np.int32)
    moves[np.arange(len(grams)), list(grams.values())] = 1
    return b.dot_general(numbers, b.array(moves, I32), ((), ()), ((1,), (0,)))


def _weigh(n: Node, counts: Value) -> Value:
    """Return the counts in f32, or whether they are not 0, times the weights of the n-grams."""
    mode, weights, places = n.attribute("mode"), n.attribute("weights"), n.attribute("ngram_indexes")
    if mode not in ("TF", "IDF", "TFIDF"):
        raise n.malformed_error(f"mode {mode!r}", "expected TF, IDF or TFIDF")
    if mode == "IDF":
        counts = n.b.binary_scalar("minimum", counts, 1)
    out = n.b.convert(counts, F32)
    if mode == "TF" or not weights:
        return out
    if len(weights) != len(places):
        raise n.malformed_error(f"{len(weights)} weights of {len(places)} n-grams")
    factors = np.zeros(counts.type.shape[1], np.float32)
    factors[places] = weights
    if not np.array_equal(factors[places], np.asarray(weights, np.float32)):
        raise n.unsupported_error("n-grams of one place that have different weights")
    return n.b.binary("multiply", out, n.b.array(factors, F32))


TABLE: dict[str, Build] = {"TfIdfVectorizer": tf_idf_vectorizer}
