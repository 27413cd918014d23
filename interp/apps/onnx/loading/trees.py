"""Ensembles of trees of ai.onnx.ml: all of them are walked together, one level at a time.

A place is the number of an inner node, or of a leaf, which comes after all inner nodes and leads to itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np

from interp.apps.onnx.loading.indexing import gather_along
from interp.apps.onnx.loading.node import Build, Node, element_of_dtype
from interp.apps.onnx.loading.ordering import index_of_extreme
from interp.apps.onnx.loading.scores import class_labels, labels_at, numbers, second_class, transform
from interp.backends.dtypes import numpy_dtype
from interp.loading.build import F32, F64, I64
from interp.loading.folding import fold, identity_of
from spec.ir import Value

MODES = ("LE", "LT", "GE", "GT", "EQ", "NE")
MEMBER = 6
OLDER_MODES = {f"BRANCH_{name}": k for k, name in enumerate(("LEQ", "LT", "GTE", "GT", "EQ", "NEQ"))}
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
BODIES = ("add", "add", "minimum", "maximum")  # of AGGREGATES
MANY = 1 << 28  # votes, of each leaf for each target
DEEPEST = 256  # levels that are written out


@dataclass
class Trees:
    """An ensemble, as arrays of inner nodes; x: (rows, features).

    branches: the place where each node leads if its test holds, and if it does not. missing: whether NaN
    passes the test. members: the set of each node, a row filled up with NaN. weights, votes: what each leaf
    gives to each target, and whether it does, (leaves, targets).
    """

    n: Node
    x: Value
    roots: np.ndarray
    features: np.ndarray
    modes: np.ndarray
    splits: np.ndarray
    branches: Sequence[np.ndarray]
    missing: np.ndarray
    weights: np.ndarray
    votes: np.ndarray
    members: np.ndarray

    @property
    def count(self) -> int:
        """Return how many inner nodes there are."""
        return len(self.features)

    def check(self) -> None:
        """Raise `Malformed` unless there are trees, and features, modes, roots and branches are in range."""
        size = self.count + len(self.weights)
        if self.x.type.rank != 2 or not len(self.roots):
            raise self.n.malformed_error(f"{len(self.roots)} roots, {self.count} nodes, for {self.x!r}")
        for what, array, bound in (
            ("nodes_featureids", self.features, self.x.type.shape[1]),
            ("tree_roots", self.roots, size),
            ("nodes_modes", self.modes, MEMBER + 1),
            ("nodes_truenodeids", self.branches[0], size),
            ("nodes_falsenodeids", self.branches[1], size),
        ):
            if ((array < 0) | (array >= bound)).any():
                raise self.n.malformed_error(f"{what} out of range", f"expected less than {bound}")

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

    # Operations on places (rows, trees)

    def leaves(self) -> Value:
        """Return the leaf to which each tree leads each row: (rows, trees)."""
        self.check()
        b, ends = self.n.b, np.arange(self.count, self.count + len(self.weights))
        places = b.place(b.array(self.roots, I64), (self.x.type.shape[0], len(self.roots)), [1])
        for _ in range(self.depth):
            ways = [self.look(np.concatenate([branch, ends]), places) for branch in self.branches]
            places = b.select(self.test(places), *ways)
        return b.binary_scalar("subtract", places, self.count)

    def look(self, table: np.ndarray, places: Value) -> Value:
        """Return what a table has for each place; zeros for leaves that it does not have."""
        missing = np.zeros((self.count + len(self.weights) - len(table), *table.shape[1:]), table.dtype)
        table = np.concatenate([table, missing])
        return self.n.b.gather(self.n.b.array(table, element_of_dtype(table.dtype)), places, 0)

    def test(self, places: Value) -> Value:
        """Return whether the test of each place holds."""
        b = self.n.b
        number = gather_along(self.n, self.x, self.look(self.features, places), 1)
        first, *others = sorted(set(self.modes.tolist()))
        holds = self.test_by(first, number, places)
        for mode in others:
            is_mode = self.look(self.modes == mode, places)
            holds = b.select(is_mode, self.test_by(mode, number, places), holds)
        if self.missing.any():
            is_nan = b.compare("NE", number, number)
            holds = b.binary("or", holds, b.binary("and", self.look(self.missing, places), is_nan))
        return holds

    def test_by(self, mode: int, number: Value, places: Value) -> Value:
        """Return whether numbers pass the tests of places, as if they were all of this mode."""
        b = self.n.b
        if mode != MEMBER:
            return b.compare(MODES[mode], number, self.look(self.splits, places))
        members = self.look(self.members, places)
        spread = b.place(number, members.type.shape, [0, 1])
        return fold(b, b.compare("EQ", spread, members), "maximum", [2])

    def aggregate(self, leaves: Value, how: int) -> tuple[Value, Value]:
        """Return the votes folded over trees, (rows, targets), 0 where there is none, and where there are."""
        b = self.n.b
        weights, votes = (
            b.gather(b.array(table, element_of_dtype(table.dtype)), leaves, 0)
            for table in (np.where(self.votes, self.weights, 0), self.votes)
        )
        has_votes = fold(b, votes, "maximum", [1])
        if BODIES[how] == "add":
            total = fold(b, weights, "add", [1])
            return total if how else b.binary_scalar("divide", total, len(self.roots)), has_votes
        none = b.full(identity_of(BODIES[how], weights.type), weights.type)
        out = fold(b, b.select(votes, weights, none), BODIES[how], [1])
        return b.select(has_votes, out, b.full(0, out.type)), has_votes


# Version 5: inner nodes and leaves are apart, and a leaf votes for one target


def tree_ensemble(n: Node) -> Value:
    """Return the weights of the leaves that trees lead to, folded for each target."""
    trees, how = read_ensemble(n), n.attribute("aggregate_function", 1)
    if how not in range(len(BODIES)):
        raise n.malformed_error(f"aggregate_function {how}", f"expected less than {len(BODIES)}")
    return transform(n, trees.aggregate(trees.leaves(), how)[0])


def read_ensemble(n: Node) -> Trees:
    """Return the trees of a TreeEnsemble."""
    features = numbers(n, "nodes_featureids") if "nodes_featureids" in n.attributes else np.zeros(0, np.int64)
    weights, targets = (numbers(n, f"leaf_{name}") for name in ("weights", "targetids"))
    count, roots, wanted = len(features), numbers(n, "tree_roots"), n.attribute("n_targets")
    if len(targets) != len(weights):
        raise n.malformed_error(f"{len(targets)} targets for {len(weights)} leaves")
    for what, array, bound in (("leaf_targetids", targets, wanted), ("tree_roots", roots, count)):
        if ((array < 0) | (array >= bound)).any():
            raise n.malformed_error(f"{what} out of range", f"expected less than {bound}")

    def column(name: str) -> np.ndarray:
        array = np.zeros(count, np.int64) if n.attribute(name) is None else numbers(n, name)
        if array.shape != (count,):
            raise n.malformed_error(f"{name} of shape {list(array.shape)} for {count} nodes")
        return array

    branches = []
    for way in ("true", "false"):
        nodes, to_leaf = column(f"nodes_{way}nodeids"), column(f"nodes_{way}leafs") != 0
        if ((nodes < 0) | (nodes >= np.where(to_leaf, len(weights), count))).any():
            raise n.malformed_error(f"nodes_{way}nodeids out of range")
        branches.append(np.where(to_leaf, nodes + count, nodes))
    refuse_many(n, len(weights), wanted)
    votes = targets[:, None] == np.arange(wanted)
    modes, missing = column("nodes_modes"), column("nodes_missing_value_tracks_true") != 0
    members = read_members(n, modes, weights.dtype)
    spread = np.where(votes, weights[:, None], 0).astype(weights.dtype)
    return Trees(
        n,
        n.value(0),
        roots,
        features,
        modes,
        column("nodes_splits"),
        branches,
        missing,
        spread,
        votes,
        members,
    )


def refuse_many(n: Node, leaves: int, targets: int) -> None:
    """Raise `Malformed` unless the table of leaves and targets has a size that a program may have."""
    if targets < 1 or leaves * targets > MANY:
        raise n.malformed_error(
            f"{targets} targets for {leaves} leaves", f"expected at least 1, and at most {MANY} votes"
        )


def read_members(n: Node, modes: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the members of each node's set, a row by node, filled up with NaN."""
    if not (modes == MEMBER).any():
        return np.zeros((len(modes), 0), dtype)
    values = iter(numbers(n, "membership_values").tolist())
    sets = [list(takewhile(lambda v: v == v, values)) if mode == MEMBER else [] for mode in modes.tolist()]
    table = np.full((len(sets), max(map(len, sets))), np.nan, dtype)
    for row, members in zip(table, sets, strict=True):
        row[: len(members)] = members
    return table


# Versions before: a leaf is a node, and votes for any targets


def tree_ensemble_regressor(n: Node) -> Value:
    """Return the votes of leaves folded for each target, plus the base values."""
    name, targets = n.attribute("aggregate_function", "SUM"), n.attribute("n_targets", 1)
    if name not in AGGREGATES:
        raise n.malformed_error(f"aggregate_function {name!r}", f"expected one of {', '.join(AGGREGATES)}")
    trees = read_nodes(n, "target", targets)
    scores, _ = trees.aggregate(trees.leaves(), AGGREGATES.index(name))
    base = floats(n, "base_values", trees.weights.dtype)
    if base.size not in (0, targets):
        raise n.malformed_error(f"{base.size} base_values for {targets} targets")
    return transform(n, n.b.convert(add_base(n, scores, base), F32))


def tree_ensemble_classifier(n: Node) -> Sequence[Value]:
    """Return the class of the largest sum of votes, and the sums.

    Where all leaves vote for the first of two classes, as converters write it, the sum is that of the second
    one: it wins above 0, or above 0.5 if no vote is negative.
    """
    b, labels = n.b, class_labels(n, "classlabels_int64s")
    trees = read_nodes(n, "class", len(labels))
    scores, has_votes = trees.aggregate(trees.leaves(), AGGREGATES.index("SUM"))
    base = floats(n, "base_values", trees.weights.dtype)
    voted = np.flatnonzero(trees.votes.any(0))
    if base.size not in (0, 1, len(labels)) or not len(voted):
        raise n.malformed_error(f"{base.size} base_values, votes for {len(voted)} of {len(labels)} classes")
    if len(labels) == 2 and len(voted) == 1:
        return vote_for_one(n, labels, trees, b.slice_in(scores, 1, int(voted[0]), int(voted[0]) + 1), base)
    if base.size not in (0, len(labels)):
        raise n.unsupported_error(f"one of base_values for {len(labels)} classes with votes")
    scores = add_base(n, scores, base)
    counted = scores if base.size else b.select(has_votes, scores, b.full(-np.inf, scores.type))
    chosen = labels_at(n, labels, index_of_extreme(b, counted, "maximum", 1))
    return [chosen, transform(n, b.convert(scores, F32))]


def vote_for_one(
    n: Node, labels: np.ndarray, trees: Trees, score: Value, base: np.ndarray
) -> Sequence[Value]:
    """Return the class and scores of two classes, of which one has all votes; score: its sum, (rows, 1)."""
    b, is_first, is_positive = n.b, bool(trees.votes[:, 0].any()), bool((trees.weights >= 0).all())
    if base.size > 1 or (base.size and not is_first):
        raise n.unsupported_error(f"{base.size} base_values, and votes for one of two classes")
    score = add_base(n, score, base)
    wins = b.compare("GT", score, b.full(0.5 if is_positive else 0, score.type))
    chosen = labels_at(n, labels, b.reshape(b.convert(wins, I64), score.type.shape[:1]))
    score = b.convert(score, F32)
    if is_first:
        return [chosen, second_class(n, score, not is_positive)]
    return [chosen, transform(n, b.concatenate([b.full(0, score.type), score], 1))]


def add_base(n: Node, scores: Value, base: np.ndarray) -> Value:
    if not base.size:
        return scores
    return n.b.binary("add", scores, n.b.array(base, scores.type.tensor_element_type))


def floats(n: Node, name: str, dtype: np.dtype) -> np.ndarray:
    """Return floats of an attribute, or of the tensor that stands for it in f64; none if both are absent."""
    for attribute in (f"{name}_as_tensor", name):
        if attribute in n.attributes:
            return np.asarray(numbers(n, attribute), dtype).reshape(-1)
    return np.zeros(0, dtype)


def read_nodes(n: Node, votes: str, targets: int) -> Trees:
    """Return the trees of an older ensemble, computed in f64 if x is, else in f32.

    votes: "class" or "target", what attributes call the votes of leaves.
    """
    x = n.value(0)
    x = x if x.type.element_type == F64 else n.b.convert(x, F32)
    dtype = numpy_dtype(x.type.tensor_element_type)
    x = n.b.reshape(x, (1, *x.type.shape)) if x.type.rank == 1 else x
    names, leads = n.attribute("nodes_modes", []), ("nodes_truenodeids", "nodes_falsenodeids")
    trees, ids, features, *nodes = (
        numbers(n, name) for name in ("nodes_treeids", "nodes_nodeids", "nodes_featureids", *leads)
    )
    splits, missing = floats(n, "nodes_values", dtype), n.attribute("nodes_missing_value_tracks_true", [])
    missing = np.asarray(missing or np.zeros(len(names)), bool)
    if len({len(column) for column in (names, trees, ids, features, *nodes, splits, missing)}) > 1:
        raise n.malformed_error("attributes nodes_... of different lengths")
    if unknown := sorted({*names} - {*OLDER_MODES, "LEAF"}):
        raise n.malformed_error(f"nodes_modes {unknown[0]!r}", f"expected one of {', '.join(OLDER_MODES)}")
    inner = np.array([name != "LEAF" for name in names], bool)
    order = np.where(inner, np.cumsum(inner) - 1, inner.sum() + np.cumsum(~inner) - 1)
    place = {
        key: int(p) for key, p in zip(zip(trees.tolist(), ids.tolist(), strict=True), order, strict=True)
    }
    places = [
        np.array([place.get(key, -1) for key in zip(trees[inner].tolist(), ends.tolist(), strict=True)], int)
        for ends in (column[inner] for column in nodes)
    ]
    _, first = np.unique(trees, return_index=True)
    roots = order[np.sort(first)]
    modes = np.array([OLDER_MODES.get(name, 0) for name in names], np.int64)[inner]
    weights, voted = read_votes(n, votes, (int((~inner).sum()), targets), place, int(inner.sum()), dtype)
    members = np.zeros((len(modes), 0), dtype)
    tables = (features[inner], modes, splits[inner], places, missing[inner], weights, voted, members)
    return Trees(n, x, roots, *tables)


def read_votes(
    n: Node, kind: str, shape: tuple[int, int], place: dict[tuple[int, int], int], count: int, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """Return what leaves give to targets, and where; place: of nodes, `count` of which come before leaves."""
    refuse_many(n, *shape)
    trees, nodes, targets = (numbers(n, f"{kind}_{name}") for name in ("treeids", "nodeids", "ids"))
    weights = floats(n, f"{kind}_weights", dtype)
    if len({len(column) for column in (trees, nodes, targets, weights)}) > 1:
        raise n.malformed_error(f"attributes {kind}_... of different lengths")
    keys = zip(trees.tolist(), nodes.tolist(), strict=True)
    leaves = np.array([place.get(key, -1) - count for key in keys], np.int64)
    if ((leaves < 0) | (targets < 0) | (targets >= shape[1])).any():
        raise n.malformed_error(f"{kind}_nodeids or {kind}_ids out of range", "expected leaves and targets")
    table, voted = np.zeros(shape, dtype), np.zeros(shape, bool)
    np.add.at(table, (leaves, targets), weights)
    voted[leaves, targets] = True
    return table, voted


TABLE: dict[str, Build] = {
    "TreeEnsemble": tree_ensemble,
    "TreeEnsembleClassifier": tree_ensemble_classifier,
    "TreeEnsembleRegressor": tree_ensemble_regressor,
}
