"""Random gathers and dynamic slices."""

from __future__ import annotations

from hypothesis import strategies as st

from spec.types import ELEMENT_TYPES, ElementType, TensorType
from tests.builders import operation
from tests.programs import Program, with_data


@st.composite
def gathers(draw: st.DrawFn) -> Program:
    """`gather` with every kind of dimension in any place, and start indices beyond the operand."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    kinds = [draw(st.sampled_from(["offset", "collapsed", "batching"])) for _ in shape]
    inner = {kind: tuple(d for d, k in enumerate(kinds) if k == kind) for kind in set(kinds)}
    offset, collapsed, batching = (inner.get(kind, ()) for kind in ("offset", "collapsed", "batching"))
    sizes = tuple(draw(st.integers(0, n)) if d in offset else 1 for d, n in enumerate(shape))
    mapped = draw(st.permutations([d for d in range(len(shape)) if d not in batching]))
    mapped = tuple(mapped[: draw(st.integers(0, len(mapped)))])
    batches = [(d, shape[d]) for d in batching] + [
        (None, n) for n in draw(st.lists(st.integers(1, 3), max_size=2))
    ]
    batches = draw(st.permutations(batches))
    implicit = len(mapped) == 1 and draw(st.booleans())
    vector = len(batches) if implicit else draw(st.integers(0, len(batches)))
    indices = [n for _, n in batches]
    indices[vector:vector] = [] if implicit else [len(mapped)]
    place = {d: k + (k >= vector and not implicit) for k, (d, _) in enumerate(batches) if d is not None}
    rank = len(batches) + len(offset)
    offset_dims = tuple(sorted(draw(st.permutations(range(rank)))[: len(offset)]))
    result, wide, batch = [], iter(sizes[d] for d in offset), iter(n for _, n in batches)
    result = tuple(next(wide if d in offset_dims else batch) for d in range(rank))
    attributes = {
        "offset_dims": offset_dims,
        "collapsed_slice_dims": collapsed,
        "operand_batching_dims": batching,
        "start_indices_batching_dims": tuple(place[d] for d in batching),
        "start_index_map": mapped,
        "index_vector_dim": vector,
        "slice_sizes": sizes,
        "indices_are_sorted": False,
    }
    inputs = [TensorType(shape, ELEMENT_TYPES["i8"]), TensorType(tuple(indices), index_type(draw))]
    return indexing(draw, "stablehlo.gather", inputs, result, attributes)


@st.composite
def dynamic_slices(draw: st.DrawFn) -> Program:
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=3)))
    sizes = tuple(draw(st.integers(0, n)) for n in shape)
    inputs = [TensorType(shape, ELEMENT_TYPES["i8"]), *[TensorType((), index_type(draw))] * len(shape)]
    return indexing(draw, "stablehlo.dynamic_slice", inputs, sizes, {"slice_sizes": sizes})


def index_type(draw: st.DrawFn) -> ElementType:
    return ELEMENT_TYPES[draw(st.sampled_from(["i4", "i8", "i32", "i64", "ui64"]))]


def indexing(
    draw: st.DrawFn, name: str, inputs: list, result: tuple[int, ...], attributes: dict[str, object]
) -> Program:
    return with_data(draw, operation(name, inputs, TensorType(result, inputs[0].element_type), **attributes))
