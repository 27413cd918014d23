"""The drawing of a tree: parts that repeat are told once, and together they are the tree."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.apps.pages.repeats import Repeats
from interp.apps.pages.tree_drawing import draw
from spec.accumulation import Accumulation
from spec.trees import ZERO, Node, Tree, canonical
from tests.library.oracles.accumulated_by_hand import DOT

Sets = set[frozenset[int]]

WORDS = {
    "left without init": "4,096 leaves one after the other",
    "left fma": "init, then 4,096 leaves one after the other, fma",
    "balanced without init": "4,096 leaves in pairs",
    "lanes(16: left fma; balanced) without init": "16 x (256 leaves one after the other, fma) in pairs",
    "pairwise without init": "32 x (8 x (16 leaves one after the other) in pairs) in pairs",
    "star exact without init": "4,096 leaves in one node, exact",
    "left(16) fused(25) in f32": "init, then 256 x (16 leaves) one after the other, fused(25) in f32",
    "blocks(64: balanced; left) without init": "64 x (64 leaves in pairs) one after the other",
}


@pytest.mark.parametrize("text", WORDS)
def test_patterns_are_told_by_their_parts(text: str) -> None:
    accumulation = Accumulation.parse(text)
    has_init = not accumulation.without_init
    tree = accumulation.tree(4096 + has_init, has_init)
    assert Repeats(tree, has_init).words(tree.root) == WORDS[text]


def below(tree: Tree) -> list[frozenset[int]]:
    """Return the leaves below each node."""
    found = [frozenset({k}) for k in range(tree.n)]
    for node in tree.nodes:
        found.append(frozenset().union(*(found[c] for c in node.children if c != ZERO)))
    return found[tree.n :]


def told(repeats: Repeats, at: int) -> Sets:
    """Return the leaves below each node of a part, put together from its chains, pairs and nodes."""
    shape, leaves = repeats.shape(at), lambda part: frozenset(repeats.below(part))
    if at < repeats.tree.n:
        return set()
    if shape.kind == "chain":
        parts = [part for step in repeats.steps(at) for part in step]
        total, sums = frozenset[int](), Sets()
        for k, step in enumerate(repeats.steps(at)):
            total = total.union(*map(leaves, step))
            sums |= {total} if k else set()
    elif shape.kind == "pairs":
        parts, sums = repeats.parts(at), Sets()
        row = [leaves(part) for part in parts]
        while len(row) > 1:
            row = [row[k] | row[k + 1] for k in range(0, len(row), 2)]
            sums |= {*row}
    else:
        parts = [*repeats.tree_children(at)]
        sums = {leaves(at)}
    return sums.union(*(told(repeats, part) for part in parts))


@given(st.integers(2, 40), st.integers(0, 2**32), st.sampled_from([2, 3, 5]))
def test_the_parts_of_any_tree_are_its_nodes(n: int, seed: int, most: int) -> None:
    """Each node is one sum of a chain, of a round of pairs, or of a node, whatever the tree is."""
    rng, nodes, parts = np.random.default_rng(seed), list[Node](), list(range(n))
    alike = bool(rng.integers(2))
    while len(parts) > 1:
        several = int(rng.integers(2, min(len(parts), most) + 1))
        chosen = range(several) if alike else sorted(rng.choice(len(parts), several, replace=False))
        nodes.append(Node(tuple(parts[int(k)] for k in chosen)))
        parts = [part for k, part in enumerate(parts) if k not in chosen] + [n + len(nodes) - 1]
    tree = canonical(n, nodes, parts[0])
    repeats = Repeats(tree, has_init=False)
    assert told(repeats, tree.root) == {*below(tree)}


@pytest.mark.parametrize(
    "text",
    [*WORDS, "random(3)", "windows(32)", "lanes(8: left; balanced; tail after)", "blocks(4) from zero"],
)
def test_a_tree_of_thousands_of_leaves_is_drawn_small(text: str) -> None:
    drawn = draw(Accumulation.parse(text), 4096)
    (svg,) = re.findall(r"<svg.*</svg>", drawn, re.DOTALL)
    root = ElementTree.fromstring(svg)
    width = float(root.attrib["width"])
    texts = [node for node in root.iter() if node.tag.endswith("text")]
    assert 3 < len(texts) < 250
    assert width < (8000 if text.startswith("random") else 2000)
    assert len(drawn) < 60_000


def test_every_leaf_of_a_small_tree_is_drawn() -> None:
    drawn = draw(Accumulation.parse("tree((0 3') (1 (2 4))) fma"), 4)
    assert re.findall(r">(init|\d)</text>", drawn) == ["init", "3", "2", "4", "1"]


def test_the_page_of_a_trace_has_the_tree_of_its_accumulation(tmp_path: Path) -> None:
    module = interp.load(DOT.format(m=1, k=64, n=1, lhs="f32", rhs="f32", result="f32"))
    args = np.ones((1, 64), np.float32), np.ones((64, 1), np.float32)
    pages = [
        interp.trace(module, *args, schedule=way).report(tmp_path / f"{k}.html").read_text()
        for k, way in enumerate(["left", Accumulation.parse("lanes(16: left fma; balanced)")])
    ]
    words = "16 x (init, then 4 leaves one after the other, fma) in pairs"
    assert [page.count(f"<figcaption>{words}") for page in pages] == [0, 1]
