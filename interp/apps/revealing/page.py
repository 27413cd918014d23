"""The page of a revealed accumulation: its statement, its tree, and on what the statement rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interp.apps.pages.shell import Section, Verdict, frame
from interp.apps.pages.tree_drawing import draw
from interp.engine.markup import Html, tag, terms
from spec.accumulation import Accumulation

PREMISE = (
    "What is stated was executed again, and has the implementation's bits on all of these inputs. It is not"
    " proved for others, nor for other shapes, numbers of threads or builds."
)


class Tree(NamedTuple):
    """An accumulation of so many elements, and which results have it."""

    title: str
    accumulation: Accumulation
    elements: int


def page(
    name: str, statement: str, trees: Sequence[Tree], facts: Sequence[tuple[str, str]], is_stated: bool
) -> str:
    """Return the page as HTML text."""
    found = f"{statement[:1].upper()}{statement[1:]}" if not trees else statement
    verdict = Verdict("fine" if is_stated else "warning", found, [], PREMISE)
    sections = [Section("trees", "Tree", list(pictures(trees)))] if trees else []
    return frame("Revealed", name, verdict, None, [*sections, Section("facts", "Evidence", [terms(facts)])])


def pictures(trees: Sequence[Tree]) -> Iterator[Html]:
    """Yield the drawing of each tree, with its title."""
    for tree in trees:
        yield tag("div", tag("h3", tree.title), draw(tree.accumulation, tree.elements))
