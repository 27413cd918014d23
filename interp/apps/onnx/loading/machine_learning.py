"""Operators of ai.onnx.ml on numbers: encoders, extractors and ensembles of trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np

from interp.apps.onnx.loading.indexing import gather_along
from interp.apps.onnx.loading.movement import indices
from interp.apps.onnx.loading.node import Build, Node, array_of, element_of_dtype
from interp.apps.onnx.loading.reductions import fold, identity_of
from interp.loading.build import I64
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


def numbers(n: Node, name: str) -> np.ndarray:
    """Return an attribute as an array: a tensor, or a list of integers, or of floats in f32."""
    value = n.attribute(name)
    if name.endswith(("_string", "_strings")):
        raise n.unsupported_error(f"attribute {name}", "expected numbers")
    if hasattr(value, "data_type"):
        return np.asarray(array_of(value))
    return np.asarray(value, np.float32 if "float" in name else np.int64).reshape(-1)


# Ensembles of trees: all are walked together, one level at a time.
#
# A place is the number of an inner node, or of a leaf, which comes after all inner nodes and leads to itself.

MODES = ("LE", "LT", "GE", "GT", "EQ", "NE")
MEMBER = 6
BODIES = ("add", "add", "minimum", "maximum")  # of aggregate_function: average, sum, least, largest
DEEPEST = 256  # levels that are written out


def tree_ensemble(n: Node) -> Value:
    """Return the weights of the leaves that trees lead to, folded for each target."""
    if n.attribute("post_transform", 0):
        raise n.unsupported_error("a post_transform", "expected 0, none")
    trees = Trees(n, n.value(0))
    trees.check()
    places = n.b.place(n.b.array(trees.roots, I64), (trees.x.type.shape[0], len(trees.roots)), [1])
    for _ in range(trees.depth):
        ways = [trees.look(branch, places) for branch in trees.branches]
        places = n.b.select(trees.test(places), *ways)
    return trees.fold_leaves(n.b.binary_scalar("subtract", places, trees.count))


@dataclass
class Trees:
    """The nodes and leaves of an ensemble, as arrays by place; x: (rows, features)."""

    n: Node
    x: Value

    def check(self) -> None:
        """Raise `Malformed` unless features, roots, modes and leaves are there."""
        features, modes = self.table("nodes_featureids"), self.modes[: self.count]
        targets = numbers(self.n, "leaf_targetids")
        if self.x.type.rank != 2 or not self.count or not len(self.roots):
            raise self.n.malformed_error(f"{len(self.roots)} roots, {self.count} nodes, for {self.x!r}")
        for what, array, bound in (
            ("nodes_featureids", features, self.x.type.shape[1]),
            ("tree_roots", self.roots, self.count),
            ("nodes_modes", modes, MEMBER + 1),
            ("leaf_targetids", targets, self.n.attribute("n_targets")),
        ):
            if ((array < 0) | (array >= bound)).any():
                raise self.n.malformed_error(f"{what} out of range", f"expected less than {bound}")
        if len(targets) != len(self.weights):
            raise self.n.malformed_error(f"{len(targets)} targets for {len(self.weights)} leaves")

    @cached_property
    def count(self) -> int:
        """Return how many inner nodes there are."""
        return len(self.n.attribute("nodes_featureids", ()))

    @cached_property
    def weights(self) -> np.ndarray:
        return numbers(self.n, "leaf_weights")

    @cached_property
    def roots(self) -> np.ndarray:
        return numbers(self.n, "tree_roots")

    @cached_property
    def modes(self) -> np.ndarray:
        return self.table("nodes_modes")

    def table(self, name: str) -> np.ndarray:
        """Return what an attribute says of inner nodes, zeros if it is absent, and zeros for leaves."""
        zeros = np.zeros(self.count, np.int64)
        array = zeros if self.n.attribute(name) is None else numbers(self.n, name)
        if array.shape != (self.count,):
            raise self.n.malformed_error(f"{name} of shape {list(array.shape)} for {self.count} nodes")
        return np.concatenate([array, np.zeros(len(self.weights), array.dtype)])

    @cached_property
    def branches(self) -> Sequence[np.ndarray]:
        """Return where each node leads if its test holds, and where if it does not."""
        return [self._branch(way) for way in ("true", "false")]

    def _branch(self, way: str) -> np.ndarray:
        nodes, to_leaf = self.table(f"nodes_{way}nodeids"), self.table(f"nodes_{way}leafs") != 0
        size = self.count + len(self.weights)
        places = np.where(to_leaf, nodes + self.count, nodes)
        places[self.count :] = np.arange(self.count, size)
        if ((nodes < 0) | (places >= np.where(to_leaf, size, self.count)))[: self.count].any():
            raise self.n.malformed_error(f"nodes_{way}nodeids out of range")
        return places

    @cached_property
    def depth(self) -> int:
        """Return how many tests lead to a leaf at most; `Malformed` if nodes lead in circles."""
        level, depth = np.unique(self.roots), 0
        while (inner := level[level < self.count]).size:
            depth += 1
            if depth > self.count:
                raise self.n.malformed_error("the nodes of a tree lead in circles")
            level = np.unique(np.concatenate([branch[inner] for branch in self.branches]))
        if depth > DEEPEST:
            raise self.n.unsupported_error(f"a tree of {depth} levels", f"expected at most {DEEPEST}")
        return depth

    @cached_property
    def members(self) -> np.ndarray:
        """Return the members of each node's set, a row by place, filled up with NaN."""
        values = iter(numbers(self.n, "membership_values").tolist())
        sets = [
            list(takewhile(lambda v: v == v, values)) if mode == MEMBER else []
            for mode in self.modes.tolist()
        ]
        table = np.full((len(sets), max(map(len, sets))), np.nan, self.weights.dtype)
        for row, members in zip(table, sets, strict=True):
            row[: len(members)] = members
        return table

    # Operations on places (rows, trees)

    def look(self, table: np.ndarray, places: Value) -> Value:
        """Return what a table has for each place."""
        return self.n.b.gather(self.n.b.array(table, element_of_dtype(table.dtype)), places, 0)

    def test(self, places: Value) -> Value:
        """Return whether the test of each place holds."""
        b = self.n.b
        number = gather_along(self.n, self.x, self.look(self.table("nodes_featureids"), places), 1)
        first, *others = sorted(set(self.modes[: self.count].tolist()))
        holds = self.test_by(first, number, places)
        for mode in others:
            is_mode = self.look(self.modes == mode, places)
            holds = b.select(is_mode, self.test_by(mode, number, places), holds)
        missing = self.table("nodes_missing_value_tracks_true") != 0
        if missing.any():
            is_nan = b.compare("NE", number, number)
            holds = b.binary("or", holds, b.binary("and", self.look(missing, places), is_nan))
        return holds

    def test_by(self, mode: int, number: Value, places: Value) -> Value:
        """Return whether numbers pass the tests of places, as if they were all of this mode."""
        b = self.n.b
        if mode != MEMBER:
            return b.compare(MODES[mode], number, self.look(self.table("nodes_splits"), places))
        members = self.look(self.members, places)
        spread = b.place(number, members.type.shape, [0, 1])
        return fold(b, b.compare("EQ", spread, members), "maximum", [2])

    def fold_leaves(self, leaves: Value) -> Value:
        """Return the weights of leaves folded over the trees; 0 for a target that no leaf has."""
        b, element = self.n.b, self.x.type.tensor_element_type
        how, targets = self.n.attribute("aggregate_function", 1), self.n.attribute("n_targets")
        if how not in range(len(BODIES)):
            raise self.n.malformed_error(f"aggregate_function {how}", f"expected less than {len(BODIES)}")
        weights = self.look(self.weights, leaves)
        target = self.look(numbers(self.n, "leaf_targetids"), leaves)
        shape = (*leaves.type.shape, targets)
        is_for = b.compare("EQ", b.iota(shape, 2, I64), b.place(target, shape, [0, 1]))
        none = b.full(identity_of(BODIES[how], self.x.type), TensorType(shape, element))
        out = fold(b, b.select(is_for, b.place(weights, shape, [0, 1]), none), BODIES[how], [1])
        if BODIES[how] == "add":
            return out if how else b.binary_scalar("divide", out, len(self.roots))
        return b.select(fold(b, is_for, "maximum", [1]), out, b.full(0, out.type))


TABLE: dict[str, Build] = {
    "ArrayFeatureExtractor": array_feature_extractor,
    "Binarizer": binarizer,
    "LabelEncoder": label_encoder,
    "TreeEnsemble": tree_ensemble,
}
