"""Patterns of accumulations, such as `lanes(4: left; balanced)`: one tree for each number of leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from spec.errors import Malformed, short_text
from spec.schedule import Schedule
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree, canonical

MOST = 10**9  # numbers in a text are below it
SCALES = "scales"  # the pattern whose groups are products of one scale
NEEDS_SCALES = 'it is for contractions of quantized numbers: reading="integer"'


@dataclass(frozen=True)
class Level:
    """A pattern that makes one tree of a list of items, and the arithmetic of its nodes.

    numbers: `k` of blocks, windows, lanes and left; the seed of random. inner, outer: the levels of the items
    of a group, and of the groups' sums, where the pattern has groups; those of `scales` are the program's.
    tail: what becomes of items that fill no group; "" is a short last block, or the lanes that are next.
    tail_arithmetic: that of the tail, where it is another. tree: the explicit tree, of the pattern "tree".
    """

    name: str = "left"
    numbers: tuple[int, ...] = ()
    arithmetic: Arithmetic = PLAIN
    inner: Level | None = None
    outer: Level | None = None
    tail: str = ""
    tail_arithmetic: Arithmetic | None = None
    tree: Tree | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.name not in PATTERNS:
            raise Malformed(f"{short_text(self.name)} is not a pattern", f"known: {', '.join(PATTERNS)}")
        if self.is_grouping:
            self._check_groups()
        elif self.inner or self.outer or self.tail:
            raise Malformed(f"{self.name} has no groups", f"patterns with groups: {', '.join(GROUPING)}")
        least = {"windows": 2, "random": None}.get(self.name, 1)
        wanted = self.name in ("blocks", "lanes", "windows", "random")
        if not (len(self.numbers) == wanted or (self.name == "left" and len(self.numbers) == 1)):
            what = "expects one number" if wanted else "expects no number"
            raise Malformed(f"{self.name} {what}, got {len(self.numbers)}")
        if least is not None and any(not least <= k < MOST for k in self.numbers):
            raise Malformed(f"{self.name}({self.numbers[0]}) is not a pattern", f"expected {least} or more")
        if self.name == "left" and self.numbers == (1,):
            object.__setattr__(self, "numbers", ())
        if self.arithmetic.last and not (self.name == "left" and self.numbers):
            raise Malformed("only left(k) with k > 1 adds an old accumulator last", f"got {self.name}")
        if (self.name == "tree") != (self.tree is not None):
            raise Malformed("an explicit tree, and no other pattern, has nodes")

    def _check_groups(self) -> None:
        if self.inner is None or self.outer is None:
            object.__setattr__(self, "inner", self.inner or Level(arithmetic=self.arithmetic))
            object.__setattr__(self, "outer", self.outer or Level(arithmetic=self.arithmetic))
        object.__setattr__(self, "arithmetic", PLAIN)
        tails = {"blocks": ("", "joins", "after", "apart"), "lanes": ("", "after", "apart"), SCALES: ("",)}
        if self.name == "lanes" and self.tail == "joins":
            object.__setattr__(self, "tail", "")
        if self.tail not in tails[self.name]:
            raise Malformed(f"{short_text(self.tail)} is not a tail rule", "expected joins, after or apart")
        assert self.inner
        assert self.outer
        if SCALES in (self.inner.name, self.outer.name):
            raise Malformed(
                "groups of one scale are not groups of another pattern", "expected scales(...) alone"
            )
        usual = {"after": self.outer.last_arithmetic, "apart": self.inner.uniform}.get(self.tail)
        if self.tail_arithmetic == usual or self.tail not in ("after", "apart"):
            object.__setattr__(self, "tail_arithmetic", None)

    @property
    def is_grouping(self) -> bool:
        return self.name in GROUPING

    @property
    def last_arithmetic(self) -> Arithmetic:
        """The arithmetic of the root."""
        if self.outer is not None:
            return self.outer.last_arithmetic
        return self.tree.nodes[-1].arithmetic if self.tree and self.tree.nodes else self.arithmetic

    @property
    def uniform(self) -> Arithmetic | None:
        """The arithmetic of all nodes, or None if they have several."""
        every = set(self.arithmetics)
        return every.pop() if len(every) == 1 else None

    @property
    def arithmetics(self) -> tuple[Arithmetic, ...]:
        """All arithmetics that its nodes may have, each once."""
        if self.tree is not None:
            return self.tree.arithmetics
        below = [level.arithmetics for level in (self.inner, self.outer) if level] or [(self.arithmetic,)]
        tail = [self.tail_arithmetic] if self.tail_arithmetic else []
        return tuple(dict.fromkeys([*(a for part in below for a in part), *tail]))

    def with_arithmetic(self, arithmetic: Arithmetic) -> Level:
        """Return the pattern with one arithmetic for all nodes."""
        return self.change(lambda _: arithmetic)

    def change(self, f: Callable[[Arithmetic], Arithmetic]) -> Level:
        """Return the pattern with `f` of the arithmetic of each node."""
        if self.tree is not None:
            nodes = tuple(replace(node, arithmetic=f(node.arithmetic)) for node in self.tree.nodes)
            return replace(self, tree=Tree(self.tree.n, nodes))
        if self.inner is None or self.outer is None:
            return replace(self, arithmetic=f(self.arithmetic))
        inner, outer = (level.change(f) for level in (self.inner, self.outer))
        tail = self.tail_arithmetic and f(self.tail_arithmetic)
        return replace(self, inner=inner, outer=outer, tail_arithmetic=tail)


@dataclass(frozen=True)
class Where:
    """A level for sums of fewer than `bound` elements or, if not `below`, of `bound` and more."""

    below: bool
    bound: int
    level: Level

    def holds(self, elements: int) -> bool:
        return (elements < self.bound) == self.below


def build(level: Level, n: int, has_init: bool, start: str = "") -> Tree:
    """Return the tree of a pattern over n leaves; leaf 0 is the init value if there is one.

    A group starts from its own init value; or from zero, and the init is the first item of the groups' sums;
    or from its first element, and the init is added to the sum of all ("init last").
    Without elements the tree is leaf 0.
    """
    if n < 1:
        raise Malformed(f"a tree has at least one leaf, got {n}")
    builder = _Builder(n, has_init)
    items, seed = list(range(has_init, n)), 0 if has_init else None
    if start == "from zero" and level.is_grouping and items:
        root = _add_groups(builder, level, items, ZERO, seed)
    elif start == "init last" and items:
        last = level.last_arithmetic
        own = Arithmetic(type=last.type, rounding=last.rounding, flush=last.flush)
        root = builder.add(_with_seed([builder.fold(level, items, None)], seed), own)
    else:
        root = builder.fold(level, items, seed)
    return canonical(n, builder.nodes, root)


class _Builder:
    """The nodes of a tree while it is built."""

    def __init__(self, n: int, has_init: bool) -> None:
        self.n, self.first, self.nodes = n, int(has_init), list[Node]()

    def add(self, children: Sequence[int], arithmetic: Arithmetic, unrounded: int | None = None) -> int:
        """Return the number of a new node; a child alone is not a node."""
        if len(children) == 1:
            return children[0]
        if arithmetic.kind == "fma" and unrounded is None:  # the last product
            products = [p for p, child in enumerate(children) if self.first <= child < self.n]
            unrounded = products[-1] if products else None
        self.nodes.append(Node(tuple(children), arithmetic, unrounded if arithmetic.kind == "fma" else None))
        return self.n + len(self.nodes) - 1

    def fold(self, level: Level, items: Sequence[int], seed: int | None) -> int:
        """Return the root of the items, or the seed where there are none."""
        if not items and level.tree is None:
            assert seed is not None
            return seed
        return PATTERNS[level.name](self, level, list(items), seed)


def _with_seed(items: list[int], seed: int | None) -> list[int]:
    return items if seed is None else [seed, *items]


def _left(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Add k items to the sum of those before, which starts with the seed."""
    k, arithmetic = (level.numbers or (1,))[0], level.arithmetic
    total = seed
    if seed is None and k == 1:
        total, items = items[0], items[1:]
    for start in range(0, len(items), k):
        chunk = items[start : start + k]
        if arithmetic.last:
            apart = b.add(chunk, replace(arithmetic, last=False))
            rest = replace(PLAIN, type=arithmetic.type, rounding=arithmetic.rounding, flush=arithmetic.flush)
            total = apart if total is None else b.add((total, apart), rest)
        else:
            total = b.add(chunk if total is None else [total, *chunk], arithmetic)
    assert total is not None
    return total


def _right(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Add items from the last to the first, and then to the seed."""
    *rest, total = _with_seed(items, seed)
    for item in reversed(rest):
        total = b.add((item, total), level.arithmetic)
    return total


def _add_by_schedule(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Combine along a schedule of the specification."""
    nodes = _with_seed(items, seed)
    schedule = Schedule(level.name, *level.numbers)
    for lhs, rhs in list(schedule.steps(len(nodes), seed is not None)):
        nodes.append(b.add((nodes[lhs], nodes[rhs]), level.arithmetic))
    return nodes[-1]


def _halves(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Add the sum of the first half, which is the shorter one, to that of the second; so each half."""
    return _in_two(b, level, _with_seed(items, seed), lambda x: (x[: len(x) // 2], x[len(x) // 2 :]))


def _add_by_stride(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Add the sum of the items 0, 2, 4, ... to that of the items 1, 3, 5, ...; so each of both."""
    return _in_two(b, level, _with_seed(items, seed), lambda x: (x[::2], x[1::2]))


def _in_two(
    b: _Builder, level: Level, items: list[int], parts: Callable[[list[int]], tuple[list[int], list[int]]]
) -> int:
    if len(items) == 1:
        return items[0]
    return b.add([_in_two(b, level, part, parts) for part in parts(items)], level.arithmetic)


def _star(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Add all items in one node."""
    return b.add(_with_seed(items, seed), level.arithmetic)


def _pairwise(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Add as NumPy does: 8 lanes up to 128 items, else two parts; the sum is added to the seed."""
    return b.add(_with_seed([_numpy(b, level.arithmetic, items)], seed), level.arithmetic)


def _numpy(b: _Builder, arithmetic: Arithmetic, items: list[int]) -> int:
    n = len(items)
    if n > 128:
        half = n // 2 - n // 2 % 8
        return b.add([_numpy(b, arithmetic, part) for part in (items[:half], items[half:])], arithmetic)
    whole, left = (n - n % 8) if n >= 8 else 0, Level(arithmetic=arithmetic)
    if not whole:
        return _left(b, left, items, None)
    sums = [_left(b, left, items[lane:whole:8], None) for lane in range(8)]
    total = _add_by_schedule(b, Level("balanced", arithmetic=arithmetic), sums, None)
    return _left(b, left, items[whole:], total)


def _in_groups(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    return _add_groups(b, level, items, seed, None)


def _add_groups(b: _Builder, level: Level, items: list[int], seed: int | None, start: int | None) -> int:
    """Fold each group from the seed, then their sums from `start`, then the tail."""
    assert level.inner
    assert level.outer
    (k,), n = level.numbers, len(items)
    whole = n - n % k if level.tail else n
    if level.name == "lanes":
        groups = [items[lane:whole:k] for lane in range(min(k, whole))]
    else:
        groups = [items[i : min(i + k, whole)] for i in range(0, whole, k)]
    rest = items[whole:]
    if level.tail == "joins" and groups:
        groups[-1], rest = groups[-1] + rest, []
    sums = [b.fold(level.inner, group, seed) for group in groups]
    total = b.fold(level.outer, sums, start) if sums else start
    if not rest:
        assert total is not None
        return total
    last = level.outer.last_arithmetic
    if level.tail == "after":
        total = total if total is not None or seed is None else seed
        return _left(b, Level(arithmetic=level.tail_arithmetic or last), rest, total)
    inner = level.inner.with_arithmetic(level.tail_arithmetic) if level.tail_arithmetic else level.inner
    block = b.fold(inner, rest, seed)
    return block if total is None else b.add((total, block), last)


def _by_scales(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Raise `Malformed`: where a group of one scale ends is known of a program alone."""
    raise Malformed("scales(...) has a tree for each group of products of one scale", NEEDS_SCALES)


def _explicit(b: _Builder, level: Level, items: list[int], seed: int | None) -> int:
    """Put the items, after the seed, in the place of the leaves of an explicit tree."""
    leaves, tree = _with_seed(items, seed), level.tree
    assert tree is not None
    uses = tree.places_of_init()
    if tree.n != len(leaves):
        advice = f'give it to the sum that has {tree.n}: accumulator={{"%b": ...}}'
        raise Malformed(f"an explicit tree has {tree.n} leaves, got {len(leaves)}", advice)
    if seed is None and uses != 1:
        raise Malformed(f"leaf 0 is an element here, and has {uses} places in the tree", "expected one")
    numbers = [*leaves]
    for node in tree.nodes:
        children = [ZERO if c == ZERO else numbers[c] for c in node.children]
        numbers.append(b.add(children, node.arithmetic, node.unrounded))
    return numbers[-1] if tree.nodes else leaves[tree.root]


Pattern = Callable[[_Builder, Level, list[int], "int | None"], int]
PATTERNS: dict[str, Pattern] = {
    "left": _left,
    "right": _right,
    "balanced": _add_by_schedule,
    "halves": _halves,
    "strided": _add_by_stride,
    "blocks": _in_groups,
    "windows": _add_by_schedule,
    "lanes": _in_groups,
    "pairwise": _pairwise,
    "random": _add_by_schedule,
    "star": _star,
    "tree": _explicit,
    SCALES: _by_scales,
}
GROUPING = ("blocks", "lanes", SCALES)
LEFT_ONE_BY_ONE = Level()
