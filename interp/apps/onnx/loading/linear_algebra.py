"""Operators of linear algebra: Einsum, a chain of contractions, and Det, by Gaussian elimination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod

from interp.apps.onnx.loading.indexing import gather_points
from interp.apps.onnx.loading.node import Build, Node
from interp.apps.onnx.loading.ordering import index_of_extreme
from interp.loading.build import F32, I64, Folds
from interp.loading.folding import fold
from spec.ir import Value
from spec.types import TensorType

LARGEST_MATRIX = 128  # rows of a matrix whose determinant is written out, step by step


@dataclass
class Labelled:
    """A tensor with a label for each dimension."""

    value: Value
    labels: tuple[str, ...]

    def place(self, b: Folds, labels: Sequence[str], sizes: dict[str, int]) -> Value:
        """Return the tensor with these dimensions, in their order; the others repeat."""
        order = sorted(range(len(self.labels)), key=lambda d: labels.index(self.labels[d]))
        moved = b.transpose(self.value, order)
        shape = [sizes[label] for label in labels]
        return b.place(moved, shape, [labels.index(self.labels[d]) for d in order])


def einsum(n: Node) -> Value:
    """Return the sums of products that an equation asks for; floats of 16 bits are summed in f32."""
    values = n.values()
    element = values[0].type.tensor_element_type
    wide = F32 if element.kind == "float" and element.bits <= 16 else element
    terms, output = equation(n, [v.type.rank for v in values])
    operands = [
        diagonal(n.b, Labelled(n.b.convert(v, wide), term)) for v, term in zip(values, terms, strict=True)
    ]
    sizes: dict[str, int] = {}
    for label, size in chain.from_iterable(zip(o.labels, o.value.type.shape, strict=True) for o in operands):
        if sizes.setdefault(label, size) == 1:
            sizes[label] = size
        elif size not in (1, sizes[label]):
            raise n.malformed_error(f"{label!r} is {sizes[label]} and {size}")
    if missing := [label for label in output if label not in sizes]:
        raise n.malformed_error(f"{missing[0]!r} of the result is not in any term")
    result, *rest = (without_repeats(n.b, o, sizes) for o in operands)
    for k, operand in enumerate(rest, 1):
        wanted = {*output, *chain.from_iterable(o.labels for o in rest[k:])}
        result = product(n.b, result, operand, wanted, sizes)
    return n.b.convert(fold_away(n.b, result, output).place(n.b, output, sizes), element)


def equation(n: Node, ranks: Sequence[int]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Return the labels of the operands and of the result; "..." becomes labels "...0", "...1" and so on."""
    text = str(n.attribute("equation", "")).replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise n.malformed_error(f"{len(terms)} terms for {len(ranks)} operands", f"equation: {text!r}")
    extra = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    hidden = max((k for k, term in zip(extra, terms, strict=True) if "..." in term), default=0)
    spread = [labels_of(n, term, k) for term, k in zip(terms, extra, strict=True)]
    if any(len(labels) != rank for labels, rank in zip(spread, ranks, strict=True)):
        raise n.malformed_error(f"terms {terms} for operands of ranks {list(ranks)}")
    if arrow:
        output = labels_of(n, right, hidden)
        if len(set(output)) < len(output):
            raise n.malformed_error(f"the result repeats a label: {right!r}")
        return spread, output
    counts = Counter(chain.from_iterable(spread))
    once = sorted(label for label, count in counts.items() if count == 1 and len(label) == 1)
    return spread, (*labels_of(n, "...", hidden), *once)


def labels_of(n: Node, term: str, hidden: int) -> tuple[str, ...]:
    """Return the labels of a term, in which "..." stands for that many dimensions, counted from the end."""
    before, dots, after = term.partition("...")
    if not all(c.isascii() and c.isalpha() for c in before + after):
        raise n.malformed_error(f"term {term!r}", 'expected letters and at most one "..."')
    middle = [f"...{k}" for k in range(hidden - 1, -1, -1)] if dots else []
    return (*before, *middle, *after)


def diagonal(b: Folds, x: Labelled) -> Labelled:
    """Return the elements at which dimensions of the same label have the same index."""
    for label, count in Counter(x.labels).items():
        for _ in range(count - 1):
            x = _without_pair(b, x, label)
    return x


def _without_pair(b: Folds, x: Labelled, label: str) -> Labelled:
    """Return the diagonal of the first two dimensions of a label, which becomes the first dimension."""
    pair = [d for d, each in enumerate(x.labels) if each == label][:2]
    rest = [d for d in range(len(x.labels)) if d not in pair]
    moved = b.transpose(x.value, [*pair, *rest])
    size, other, *sizes = moved.type.shape
    if size != other:
        raise ValueError(f"{label!r} is {size} and {other}")
    flat = b.reshape(moved, (size * size, *sizes))
    steps = [size + 1, *[1] * len(sizes)]
    every = b.slice(flat, [0] * flat.type.rank, flat.type.shape, steps)
    return Labelled(every, (label, *(x.labels[d] for d in rest)))


def without_repeats(b: Folds, x: Labelled, sizes: dict[str, int]) -> Labelled:
    """Return a tensor without dimensions of one element that stand for more."""
    pairs = zip(x.labels, x.value.type.shape, strict=True)
    kept = [label for label, size in pairs if size == sizes[label]]
    return Labelled(b.reshape(x.value, [sizes[label] for label in kept]), tuple(kept))


def product(b: Folds, x: Labelled, y: Labelled, wanted: Collection[str], sizes: dict[str, int]) -> Labelled:
    """Return the product of two tensors, summed over the labels that nothing else wants."""
    x = fold_away(b, x, {*wanted, *y.labels})
    y = fold_away(b, y, {*wanted, *x.labels})
    shared = [label for label in x.labels if label in y.labels]
    summed = [label for label in shared if label not in wanted]
    batch = [label for label in shared if label in wanted]
    free = [[label for label in v.labels if label not in shared] for v in (x, y)]
    labels = (*batch, *free[0], *free[1])
    if not summed:
        return Labelled(b.binary("multiply", *(v.place(b, labels, sizes) for v in (x, y))), labels)
    places = [[[v.labels.index(label) for label in part] for v in (x, y)] for part in (batch, summed)]
    out = b.dot_general(x.value, y.value, (places[0][0], places[0][1]), (places[1][0], places[1][1]))
    return Labelled(out, labels)


def fold_away(b: Folds, x: Labelled, wanted: Collection[str]) -> Labelled:
    """Return the sums over the labels that are not wanted."""
    away = [d for d, label in enumerate(x.labels) if label not in wanted]
    rest = tuple(label for label in x.labels if label in wanted)
    return Labelled(fold(b, x.value, "add", away), rest)


def determinant(n: Node) -> Value:
    """Return the determinants of square matrices: the product of the pivots of an elimination.

    Each step takes the row that begins with the largest magnitude, the first of them.
    """
    x = n.value(0)
    element, shape = x.type.tensor_element_type, x.type.shape
    if x.type.rank < 2 or shape[-1] != shape[-2]:
        raise n.malformed_error(f"expected square matrices, got {x.type!r}")
    if shape[-1] > LARGEST_MATRIX:
        raise n.unsupported_error(f"matrices of {shape[-1]} rows", f"expected at most {LARGEST_MATRIX}")
    rows = n.b.reshape(n.b.convert(x, F32) if element.bits <= 16 else x, (prod(shape[:-2]), *shape[-2:]))
    out = n.b.full(1, TensorType(rows.type.shape[:1], rows.type.element_type))
    while rows.type.size:
        pivot, rows = eliminate(n.b, rows)
        out = n.b.binary("multiply", out, pivot)
    return n.b.convert(n.b.reshape(out, shape[:-2]), element)


def eliminate(b: Folds, rows: Value) -> tuple[Value, Value]:
    """Return the pivot of each matrix's first column, negated if rows change places, and what is left."""
    count, size = rows.type.shape[:2]
    column = b.reshape(b.slice_in(rows, 2, 0, 1), (count, size))
    place = index_of_extreme(b, b.unary("abs", column), "maximum", 1)
    chosen = gather_points(b, rows, b.reshape(place, (count, 1)), [0], [1], 2)
    first, others = b.slice_in(rows, 1, 0, 1), b.slice_in(rows, 1, 1, size)
    shape = others.type.shape
    is_moved = b.compare("EQ", b.binary_scalar("add", b.iota(shape, 1, I64), 1), b.place(place, shape, [0]))
    others = b.select(is_moved, first, others)
    pivot = b.slice_in(chosen, 2, 0, 1)
    is_zero = b.compare("EQ", pivot, b.full(0, pivot.type))
    head = b.slice_in(others, 2, 0, 1)
    factors = b.select(is_zero, b.full(0, head.type), b.binary("divide", head, pivot))
    steps = b.binary("multiply", factors, b.slice_in(chosen, 2, 1, size))
    left = b.binary("subtract", b.slice_in(others, 2, 1, size), steps)
    pivot = b.reshape(pivot, (count,))
    stays = b.compare("EQ", place, b.full(0, place.type))
    return b.select(stays, pivot, b.unary("negate", pivot)), left


TABLE: dict[str, Build] = {"Det": determinant, "Einsum": einsum}
