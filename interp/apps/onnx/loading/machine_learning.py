"""Operators of ai.onnx.ml on numbers: encoders, extractors, and ensembles of trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np

from interp.apps.onnx.loading.build import I64
from interp.apps.onnx.loading.indexing import gather_along
from interp.apps.onnx.loading.movement import indices
from interp.apps.onnx.loading.node import Build, Node, array_of, element_of_dtype
from interp.apps.onnx.loading.reductions import fold
from interp.backends import max_finite
from spec.ir import Value
from spec.types import TensorType


def array_feature_extractor(n: Node) -> Value:
    """Return the elements of the last dimension at indices; a vector becomes one row."""
    x = n.value(0)
    if not x.type.rank:
        raise n.malformed_error("expected at least one dimension")
    places = indices(n, 1, x.type.shape[-1])
    places = n.b.reshape(places, (places.type.size,))
    out = n.b.gather(x, places, x.type.rank - 1)
    return n.b.reshape(out, (1, *out.type.shape)) if x.type.rank == 1 else out


def binarizer(n: Node) -> Value:
    """Return 1 where x exceeds a threshold, else 0."""
    x = n.value(0)
    above = n.b.compare("GT", x, n.b.full(n.attribute("threshold", 0.0), x.type))
    return n.b.convert(above, x.type.tensor_element_type)


def label_encoder(n: Node) -> Value:
    """Return the value of each key; of a key that repeats, the last one counts. A key NaN is every NaN."""
    x = n.value(0)
    keys, values, default = mapping(n)
    if len(keys) != len(values) or element_of_dtype(keys.dtype) != x.type.element_type:
        raise n.malformed_error(f"{len(keys)} keys of {keys.dtype}, {len(values)} values, for {x.type!r}")
    spread = n.b.place(x, (*x.type.shape, len(keys)), range(x.type.rank))
    table = n.b.array(keys, x.type.tensor_element_type)
    equal = n.b.compare("EQ", spread, table)
    if keys.dtype.kind == "f":
        both = n.b.binary("and", n.b.compare("NE", spread, spread), n.b.compare("NE", table, table))
        equal = n.b.binary("or", equal, both)
    places = n.b.iota(equal.type.shape, x.type.rank, I64)
    last = fold(n.b, n.b.select(equal, places, n.b.full(-1, places.type)), "maximum", [x.type.rank])
    results = np.concatenate([default, values])
    out = n.b.array(results, element_of_dtype(results.dtype))
    return n.b.gather(out, n.b.binary_scalar("add", last, 1), 0)


def mapping(n: Node) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the keys, the values, and the value of what is not a key."""
    arrays = []
    for part in ("keys", "values"):
        given = [name for name in n.attributes if name.startswith(f"{part}_")]
        if len(given) != 1:
            raise n.malformed_error(f"expected one attribute {part}_..., got {given}")
        arrays.append(numbers(n, given[0]))
    values = arrays[1]
    usual = -1 if values.dtype.kind in "iu" else -0.0
    name = {"f": "default_float", "i": "default_int64"}.get(values.dtype.kind, "")
    name = "default_tensor" if "values_tensor" in n.attributes else name
    default = numbers(n, name) if name in n.attributes else np.asarray(usual)
    return arrays[0], values, default.reshape(-1)[:1].astype(values.dtype)


def numbers(n: Node, name: str, dtype: np.dtype | None = None) -> np.ndarray:
    """Return an attribute as an array: a tensor, or a list of integers, or of floats in f32."""
    value = n.attribute(name)
    if name.endswith(("_string", "_strings")):
        raise n.unsupported_error(f"attribute {name}", "expected numbers")
    if hasattr(value, "data_type"):
        return np.asarray(array_of(value))
    return np.asarray(value, dtype or (np.float32 if "float" in name else np.int64)).reshape(-1)


# Ensembles of trees. All trees are walked together, one level at a time: inner nodes come first, then leaves,
# which lead to themselves.

MODES = ("LE", "LT", "GE", "GT", "EQ", "NE")
MEMBER = 6
SUMMED = {0: "add", 1: "add", 2: "minimum", 3: "maximum"}  # average, sum, least, largest
DEEPEST = 256  # levels that are written out


@dataclass
class Trees:
    """The nodes and leaves of an ensemble, as arrays."""

    n: Node

    def inner(self, name: str, dtype: type = np.int64) -> np.ndarray:
        """Return what an attribute says of inner nodes, followed by zeros for leaves."""
        count, given = len(self.n.attribute("nodes_featureids", [])), self.n.attribute(name)
        array = np.zeros(count, dtype) if given is None else numbers(self.n, name)
        if array.shape != (count,):
            raise self.n.malformed_error(f"{name} of shape {list(array.shape)} for {count} nodes")
        return np.concatenate([array, np.zeros(len(self.weights), array.dtype)])

    @cached_property
    def weights(self) -> np.ndarray:
        return numbers(self.n, "leaf_weights")

    @cached_property
    def count(self) -> int:
        return len(self.n.attribute("nodes_featureids", []))

    @cached_property
    def roots(self) -> np.ndarray:
        return numbers(self.n, "tree_roots")

    def branch(self, way: str) -> np.ndarray:
        """Return where each node leads if its test holds ("true") or does not ("false")."""
        nodes, leaves = self.inner(f"nodes_{way}nodeids"), self.inner(f"nodes_{way}leafs")
        target = np.where(leaves != 0, nodes + self.count, nodes)
        size = self.count + len(self.weights)
        target[self.count :] = np.arange(self.count, size)
        bound = np.where(leaves != 0, size, self.count)[: self.count]
        if ((target[: self.count] < 0) | (target[: self.count] >= bound)).any():
            raise self.n.malformed_error(f"a node leads to a node or leaf that is not there: {way}")
        return target

    def depth(self, branches: Sequence[np.ndarray]) -> int:
        """Return how many tests lead to a leaf at most; `Malformed` if nodes lead in circles."""
        level, depth = np.unique(self.roots), 0
        while (inner := level[level < self.count]).size:
            depth += 1
            if depth > self.count:
                raise self.n.malformed_error("the nodes of a tree lead in circles")
            level = np.unique(np.concatenate([branch[inner] for branch in branches]))
        if depth > DEEPEST:
            raise self.n.unsupported_error(f"a tree of {depth} levels", f"expected at most {DEEPEST}")
        return depth

    def members(self, modes: np.ndarray, dtype: np.dtype) -> np.ndarray:
        """Return the members that a node tests for, a row for each node, filled up with NaN."""
        values = iter(numbers(self.n, "membership_values").tolist())
        sets = [
            list(takewhile(lambda v: v == v, values)) if mode == MEMBER else [] for mode in modes.tolist()
        ]
        table = np.full((len(sets), max(map(len, sets))), np.nan, dtype)
        for row, numbers_of_row in zip(table, sets, strict=True):
            row[: len(numbers_of_row)] = numbers_of_row
        return table


def tree_ensemble(n: Node) -> Value:
    """Return the weights of the leaves that trees lead to, folded for each target."""
    if n.attribute("post_transform", 0):
        raise n.unsupported_error("a post_transform", "expected 0, none")
    x, trees = n.value(0), Trees(n)
    rows, features = x.type.shape
    tested = trees.inner("nodes_featureids")
    if not trees.count or ((tested < 0) | (tested >= features)).any():
        raise n.malformed_error(f"features out of range for {x.type!r}")
    if ((trees.roots < 0) | (trees.roots >= trees.count)).any():
        raise n.malformed_error("a root is not a node", f"tree_roots: {trees.roots.tolist()}")
    branches = [trees.branch(way) for way in ("true", "false")]
    at = n.b.place(n.b.array(trees.roots, I64), (rows, len(trees.roots)), [1])
    holds = test(n, x, trees)
    for _ in range(trees.depth(branches)):
        ways = [n.b.gather(n.b.array(branch, I64), at, 0) for branch in branches]
        at = n.b.select(holds(at), *ways)
    return fold_leaves(n, x, trees, n.b.binary_scalar("subtract", at, trees.count))


def test(n: Node, x: Value, trees: Trees) -> Callable[[Value], Value]:
    """Return a function that says for which rows and trees the tests of nodes hold."""
    b, element = n.b, x.type.tensor_element_type
    modes, missing = trees.inner("nodes_modes", np.uint8), trees.inner("nodes_missing_value_tracks_true")
    used = sorted(set(modes[: trees.count].tolist()))
    if max(used) > MEMBER:
        raise n.malformed_error(f"mode {max(used)} of a node", f"expected at most {MEMBER}")
    members = trees.members(modes, np.dtype(trees.weights.dtype)) if MEMBER in used else None
    splits = trees.inner("nodes_splits", trees.weights.dtype.type)

    def look(table: np.ndarray, at: Value) -> Value:
        return b.gather(b.array(table, element_of_dtype(table.dtype)), at, 0)

    def holds(at: Value) -> Value:
        number = gather_along(n, x, look(trees.inner("nodes_featureids"), at), 1)
        mode = look(modes, at) if len(used) > 1 else None
        answer = None
        for each in used:
            if each == MEMBER:
                assert members is not None
                row = look(members, at)
                spread = b.place(number, row.type.shape, [0, 1])
                found = fold(b, b.compare("EQ", spread, row), "maximum", [2])
            else:
                found = b.compare(MODES[each], number, look(splits, at))
            if answer is not None and mode is not None:
                found = b.select(b.compare("EQ", mode, b.full(each, mode.type)), found, answer)
            answer = found
        assert answer is not None
        if missing.any():
            tracks = b.compare("NE", look(missing, at), b.full(0, at.type))
            answer = b.binary("or", answer, b.binary("and", tracks, b.compare("NE", number, number)))
        return answer

    assert element == element_of_dtype(splits.dtype)
    return holds


def fold_leaves(n: Node, x: Value, trees: Trees, leaves: Value) -> Value:
    """Return the weights of leaves (rows, trees) folded over the trees, for each target."""
    b, element = n.b, x.type.tensor_element_type
    how, targets = n.attribute("aggregate_function", 1), n.attribute("n_targets")
    if how not in SUMMED:
        raise n.malformed_error(f"aggregate_function {how}", f"expected one of {list(SUMMED)}")
    weights = b.gather(b.array(trees.weights, element), leaves, 0)
    target = b.gather(b.array(numbers(n, "leaf_targetids"), I64), leaves, 0)
    shape = (*leaves.type.shape, targets)
    is_for = b.compare("EQ", b.iota(shape, 2, I64), b.place(target, shape, [0, 1]))
    absent = {"add": 0, "minimum": max_finite(element), "maximum": -max_finite(element)}[SUMMED[how]]
    parts = b.select(is_for, b.place(weights, shape, [0, 1]), b.full(absent, TensorType(shape, element)))
    out = fold(b, parts, SUMMED[how], [1])
    return out if how else b.binary_scalar("divide", out, len(trees.roots))


TABLE: dict[str, Build] = {
    "ArrayFeatureExtractor": array_feature_extractor,
    "Binarizer": binarizer,
    "LabelEncoder": label_encoder,
    "TreeEnsemble": tree_ensemble,
}
