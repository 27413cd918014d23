"""Random gathers and dynamic slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from spec.types import ELEMENT_TYPES, ElementType, TensorType
from tests.library.builders import operation
from tests.library.strategies.programs import Program, with_data

GATHER = "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map"
Dims = tuple[int, ...]


def dimensions(
    draw: st.DrawFn, shape: Dims, most: int, names: str
) -> tuple[Dims, Dims, dict[str, Any], Callable[[Sequence[int]], Dims]]:
    """Draw a place for every dimension of an operand of `gather` or `scatter` and of its indices.

    Returns the dimensions that windows have, the shape of the indices (batches have at most `most` elements),
    the attributes by their names, and the shape of result or updates by the sizes of the windows.
    """
    kinds = [draw(st.sampled_from(["window", "dropped", "batching"])) for _ in shape]
    window, dropped, batching = (
        tuple(d for d, k in enumerate(kinds) if k == kind) for kind in ("window", "dropped", "batching")
    )
    mapped = draw(st.permutations([d for d in range(len(shape)) if d not in batching]))
    mapped = tuple(mapped[: draw(st.integers(0, len(mapped)))])
    batches = [(d, shape[d]) for d in batching]
    batches += [(None, n) for n in draw(st.lists(st.integers(1, most), max_size=2))]
    batches = draw(st.permutations(batches))
    implicit = len(mapped) == 1 and draw(st.booleans())
    vector = len(batches) if implicit else draw(st.integers(0, len(batches)))
    indices = [n for _, n in batches]
    indices[vector:vector] = [] if implicit else [len(mapped)]
    place = {d: k + (k >= vector and not implicit) for k, (d, _) in enumerate(batches) if d is not None}
    rank = len(batches) + len(window)
    in_result = tuple(sorted(draw(st.permutations(range(rank)))[: len(window)]))

    def shaped(sizes: Sequence[int]) -> Dims:
        windows, narrow = iter(sizes), iter(n for _, n in batches)
        return tuple(next(windows if d in in_result else narrow) for d in range(rank))

    values = (in_result, dropped, batching, tuple(place[d] for d in batching), mapped)
    attributes = dict(zip(names.split(), values, strict=True)) | {"index_vector_dim": vector}
    return window, tuple(indices), attributes, shaped


@st.composite
def gathers(draw: st.DrawFn) -> Program:
    """`gather` with every kind of dimension in any place, and start indices beyond the operand."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    window, indices, attributes, shaped = dimensions(draw, shape, 3, GATHER)
    sizes = tuple(draw(st.integers(0, n)) if d in window else 1 for d, n in enumerate(shape))
    attributes |= {"slice_sizes": sizes, "indices_are_sorted": False}
    inputs = [TensorType(shape, ELEMENT_TYPES["i8"]), TensorType(indices, index_type(draw))]
    return indexing(draw, "stablehlo.gather", inputs, shaped([sizes[d] for d in window]), attributes)


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
