"""The text of an accumulation: printed in its canonical form, and read."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from spec.errors import Malformed
from spec.patterns import GROUPING, MOST, SCALES, Level, Where
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree, canonical

DEEPEST = 16  # levels within levels


def text_of(level: Level) -> str:
    """Return the canonical text of a level."""
    if level.tree is not None:
        return text_of_tree(level.tree)
    numbers = ", ".join(map(str, level.numbers))
    if not level.inner or not level.outer:
        return " ".join([level.name + f"({numbers})" * bool(numbers), *level.arithmetic.words()])
    name = level.name
    if name == SCALES:
        return f"{name}({text_of(level.inner)}; {text_of(level.outer)})"
    if name == "lanes" and level.tail == "apart" and level.tail_arithmetic is None:
        name, tail = "vector", ""
    else:
        words = level.tail_arithmetic.words() or ["plain"] if level.tail_arithmetic else []
        tail = "; tail " + " ".join([level.tail, *words]) if level.tail else ""
    if not tail and level.inner == level.outer == Level(arithmetic=level.inner.arithmetic):
        return " ".join([f"{name}({numbers})", *level.inner.arithmetic.words()])
    return f"{name}({numbers}: {text_of(level.inner)}; {text_of(level.outer)}{tail})"


def text_of_tree(tree: Tree) -> str:
    """Return the canonical text of a tree: nested lists of its leaves."""
    if not tree.nodes:
        return f"tree({tree.root})"
    usual, parts = tree.nodes[-1].arithmetic, list[str]()
    todo: list[int | str] = [tree.root]
    while todo:
        at = todo.pop()
        if isinstance(at, str):
            parts.append(at)
        elif at < tree.n:
            parts.append("zero" if at == ZERO else str(at))
        else:
            node = tree.nodes[at - tree.n]
            words = "" if node.arithmetic == usual else f" {node.arithmetic!r}"
            inside: list[int | str] = []
            for position, child in enumerate(node.children):
                inside += [" "] * (position > 0) + [child] + ["'"] * (position == node.unrounded)
            todo += [")" + words, *reversed(inside), "("]
    return " ".join([f"tree{''.join(parts)}", *usual.words()])


# The parser.

_TOKEN = re.compile(r"\s*(<|>=|[():;']|-?[0-9]+|[A-Za-z][A-Za-z0-9_]*|\S)")
EXPECTED = (
    'expected such as "left", "blocks(4: left in i16 saturate; left in i32) from zero", "pairwise in f64",'
    ' "left(16) fused(25) in f32 toward zero", "tree((0 2) (1 3))"; docs/accumulations.md has the grammar'
)
NAMES = (
    *("left", "right", "balanced", "halves", "strided", "blocks", "windows", "lanes", "vector", "pairwise"),
    *("split", "star", "tree", "random", SCALES),
)
KIND_WORDS = ("plain", "fma", "exact", "fused")
Given = dict[str, Any]  # the fields of an `Arithmetic` that a text names


Parts = tuple[Level, tuple[Where, ...], str, bool, Arithmetic]  # the fields of an accumulation


def read(text: str) -> Parts:
    """Return the parts of the accumulation that a text means."""
    return _Parser(text).accumulation()


class _Parser:
    """The tokens of a text, read from the left."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens = [match[1] for match in _TOKEN.finditer(text)]

    @property
    def next(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """Return the next token and pass it; raise unless it is one of those wanted, if any are named."""
        token = self.next
        if wanted and token not in wanted:
            raise self.error(f"expected {' or '.join(wanted)}")
        self.at += 1
        return token

    def has(self, *words: str) -> bool:
        """Return whether the next tokens are these, and pass them if so."""
        if tuple(self.tokens[self.at : self.at + len(words)]) != words:
            return False
        self.at += len(words)
        return True

    def error(self, why: str) -> Malformed:
        place = f"{why}, got {self.next or 'the end'!r} at token {self.at + 1}"
        return Malformed(f"{self.text[:200]!r} is not an accumulation", f"{place}\n{EXPECTED}")

    def number(self) -> int:
        if not re.fullmatch(r"-?[0-9]{1,9}", self.next):
            raise self.error(f"expected an integer below {MOST:,}")
        return int(self.take())

    def accumulation(self) -> Parts:
        level, where, flushes, start = self.level(), list[Where](), False, ""
        inputs = PLAIN
        while self.has("where", "n"):
            below, bound = self.take("<", ">=") == "<", self.number()
            self.take(":")
            where.append(Where(below, bound, self.level()))
            self.take(";")
        if self.has("inputs"):
            type = self.take() if self.has("in") else ""
            inputs = Arithmetic(
                type=type, rounding="toward zero" if type and self.has("toward", "zero") else ""
            )
            flushes = self.has("flush")
            if not type and not flushes:
                raise self.error("expected in and a type, or flush")
        if self.next in ("without", "from"):
            start = " ".join((self.take(), self.take("init", "zero")))
        if self.has("init", "last"):
            start = "init last"
        if self.next:
            raise self.error("expected the end")
        return level, tuple(where), start, flushes, inputs

    def level(self) -> Level:
        """Read a level around which nothing is written."""
        return self.pattern(0)({})

    def pattern(self, depth: int) -> _Open:
        """Read a level whose arithmetic may still be named by the level around it."""
        if self.next not in NAMES:
            raise self.error(f"expected one of {', '.join(NAMES)}")
        if depth > DEEPEST:
            raise self.error(f"expected at most {DEEPEST} levels within levels")
        name, numbers = self.take(), list[int]()
        if name == "tree":
            return self.tree()
        inner = outer = None
        tail, tail_given = "", Given()
        if self.has("("):
            if name != SCALES:
                numbers.append(self.number())
            if name == SCALES or self.has(":"):
                inner = self.pattern(depth + 1)
                if self.has(";"):
                    if self.next != "tail":
                        outer = self.pattern(depth + 1)
                        self.has(";")
                    if self.has("tail"):
                        tail, tail_given = self.take("joins", "after", "apart"), self.arithmetic()
            self.take(")")
        if inner is not None and name not in (*GROUPING, "vector", "split"):
            raise self.error(f"{name} has no levels of its own")
        if name in ("vector", "split"):
            if name == "vector" and tail not in ("", "apart"):
                raise self.error("the tail of vector is a block apart")
            name, tail = "lanes", "apart" if name == "vector" else tail
        own = self.arithmetic()
        return _Open(name, tuple(numbers), own, inner, outer, tail, tail_given)

    def arithmetic(self) -> Given:
        """Read the words of an arithmetic, as many as there are."""
        given = Given()

        def put(field: str, value: Any) -> None:
            if field in given:
                raise self.error("expected each part of an arithmetic once")
            given[field] = value

        while True:
            if self.next in KIND_WORDS:
                put("kind", self.take())
                if given["kind"] == "fused":
                    self.take("(")
                    put("bits", self.number())
                    put("nearest", self.has("nearest"))
                    put("normalized", self.has("normalized"))
                    self.take(")")
            elif self.has("last"):
                put("last", True)
            elif self.has("in"):
                put("type", self.take())
            elif self.has("products", "in"):
                put("products", self.take())
            elif self.has("cut"):
                put("cut", self.number())
            elif self.has("toward", "zero"):
                put("rounding", "toward zero")
            elif self.has("to", "nearest"):
                put("rounding", "")
            elif self.next in ("wrap", "saturate"):
                put("rounding", self.take())
            elif self.has("flush"):
                put("flush", True)
            else:
                return given

    def tree(self) -> _Open:
        """Read an explicit tree: a list, in parentheses, of leaves and lists."""
        stack, nodes = [_List()], list[tuple[_List, Given | None]]()
        self.take("(")
        while True:
            here = stack[-1]
            if self.has("("):
                stack.append(_List())
            elif self.has(")"):
                if not here.children:
                    raise self.error("expected leaves in a list")
                stack.pop()
                own = self.arithmetic() if stack else {}
                if len(here.children) == 1 and here.unrounded is None and not own:
                    child = here.children[0]
                else:
                    nodes.append((here, own or None))
                    child = ("node", len(nodes) - 1)
                if not stack:
                    return _Open("tree", (), self.arithmetic(), nodes=tuple(nodes), root=child)
                stack[-1].children.append(child)
            elif self.has("zero"):
                here.children.append(("leaf", ZERO))
            elif self.has("'"):
                if not here.children or here.unrounded is not None:
                    raise self.error("expected one mark in a list, after the child that enters unrounded")
                here.unrounded = len(here.children) - 1
            else:
                leaf = self.number()
                if leaf < 0:
                    raise self.error("leaves are numbered from 0")
                here.children.append(("leaf", leaf))


class _List:
    """A list of an explicit tree: leaves and nodes by their numbers, and the position of the mark."""

    def __init__(self) -> None:
        self.children: list[tuple[str, int]] = []
        self.unrounded: int | None = None


class _Open:
    """A level as it is written; calling it with the words around it gives the level."""

    def __init__(
        self,
        name: str,
        numbers: tuple[int, ...],
        own: Given,
        inner: _Open | None = None,
        outer: _Open | None = None,
        tail: str = "",
        tail_given: Given | None = None,
        nodes: tuple[tuple[_List, Given | None], ...] = (),
        root: tuple[str, int] = ("leaf", 0),
    ) -> None:
        self.name, self.numbers, self.own = name, numbers, own
        self.inner, self.outer, self.tail, self.tail_given = inner, outer, tail, tail_given
        self.nodes, self.root = nodes, root

    def __call__(self, around: Given) -> Level:
        given = inherit(around, self.own)
        if self.name == "tree":
            return Level("tree", tree=self._tree(given))
        if self.name not in GROUPING:
            return Level(self.name, self.numbers, arithmetic_of(given))
        left = _Open("left", (), {})
        inner, outer = ((level or left)(given) for level in (self.inner, self.outer))
        tail = arithmetic_of(inherit(given, self.tail_given)) if self.tail_given else None
        return Level(self.name, self.numbers, PLAIN, inner, outer, self.tail, tail)

    def _tree(self, given: Given) -> Tree:
        leaves = [leaf for node, _ in self.nodes for kind, leaf in node.children if kind == "leaf"]
        kind, root = self.root
        n = max([*leaves, root if kind == "leaf" else 0]) + 1
        if n > 2 * len(leaves) + 2:
            raise Malformed(f"an explicit tree of {len(leaves):,} places names the leaf {n - 1:,}")
        nodes = [self._node(n, node, own, given) for node, own in self.nodes]
        return canonical(n, nodes, n + root if kind == "node" else root)

    def _node(self, n: int, node: _List, own: Given | None, given: Given) -> Node:
        children = tuple(number if kind == "leaf" else n + number for kind, number in node.children)
        arithmetic, unrounded = arithmetic_of(given if own is None else own), node.unrounded
        if unrounded is not None and arithmetic.kind != "fma":
            raise Malformed(f"a child enters a node unrounded that is {arithmetic!r}", "expected fma")
        if arithmetic.last:
            raise Malformed("an explicit tree adds an old accumulator last as a node of its own")
        return Node(children, arithmetic, unrounded)


def inherit(around: Given, own: Given) -> Given:
    """Return the parts of an arithmetic that a level has: its own, and else those of the level around it."""
    kind = {"bits", "nearest", "normalized", "last", "cut"} if "kind" in own else set()
    if "type" in own:
        kind |= {"rounding"}
    return {**{field: value for field, value in around.items() if field not in kind}, **own}


def arithmetic_of(given: Given) -> Arithmetic:
    """Return the arithmetic of the parts that are given."""
    known = {each.name for each in fields(Arithmetic)}
    return Arithmetic(**{field: value for field, value in given.items() if field in known})
