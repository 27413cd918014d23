"""Random scatters: every kind of dimension in any place, indices that meet, and some out of bounds."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from spec.ir import Op, Region
from spec.types import ELEMENT_TYPES, TensorType
from tests.library.builders import Element, arguments, combining, results
from tests.library.strategies.indexing_programs import dimensions, index_type
from tests.library.strategies.programs import Program, body, reductions, with_data

SCATTER = (
    "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
    "scatter_dims_to_operand_dims"
)


@st.composite
def scatters(
    draw: st.DrawFn, types: st.SearchStrategy[tuple[Element, Element]] | None = None, bounded: bool = False
) -> Program:
    """`scatter` of one or two operands into a wider accumulator; `bounded` keeps windows in bounds."""
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=3)))
    window, indices, attributes, shaped = dimensions(draw, shape, 5, SCATTER)
    sizes = {d: draw(st.integers(0 if draw(st.integers(0, 9)) == 0 else 1, shape[d])) for d in window}
    updates = shaped(list(sizes.values()))
    attributes |= {"indices_are_sorted": False, "unique_indices": False}
    pairs = draw(st.lists(reductions() if types is None else types, min_size=1, max_size=2))
    inputs, accumulators = [a for a, _ in pairs], [b for _, b in pairs]
    tensors = [
        *(TensorType(shape, t) for t in inputs),
        TensorType(indices, index_type(draw)),
        *(TensorType(updates, t) for t in inputs),
    ]
    op = Op(
        "stablehlo.scatter",
        arguments(tensors),
        results(shape, accumulators),
        attributes,
        (_body(draw, accumulators),),
    )
    spare = [shape[d] - sizes.get(d, 1) for d in attributes["scatter_dims_to_operand_dims"]]
    return _met(draw, op, spare, attributes["index_vector_dim"], bounded)


def _body(draw: st.DrawFn, elements: list[Element]) -> Region:
    """A body of a reduction, or one that returns the updates."""
    region = body(draw, elements)
    if draw(st.integers(0, 4)):
        return region
    updates = region.arguments[len(elements) :]
    return Region(region.arguments, (Op("stablehlo.return", updates, ()),))


def _met(draw: st.DrawFn, op: Op, spare: list[int], vector: int, bounded: bool) -> Program:
    """Return a program whose indices mostly lie in the inputs, so that updates meet."""
    program, n = with_data(draw, op), len(op.results)
    if draw(st.integers(0, 9)) == 0 and not bounded:
        return program
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    dtype, shape = program.args[n].dtype, program.args[n].shape
    low, beyond = (0, 1) if bounded or dtype.kind == "u" else (-1, 2)
    columns = [rng.integers(low, size + beyond, shape[:vector] + shape[vector + 1 :]) for size in spare]
    found = np.stack(columns, vector) if len(shape) > vector and columns else np.asarray(columns)
    return program._replace(
        args=(*program.args[:n], found.reshape(shape).astype(dtype), *program.args[n + 1 :])
    )


@st.composite
def dynamic_update_slices(draw: st.DrawFn) -> Program:
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=3)))
    sizes = tuple(draw(st.integers(0, n)) for n in shape)
    element, _ = draw(reductions())
    index = index_type(draw)
    tensors = [TensorType(shape, element), TensorType(sizes, element), *[TensorType((), index)] * len(shape)]
    op = Op("stablehlo.dynamic_update_slice", arguments(tensors), results(shape, [element]))
    program = with_data(draw, op)
    if draw(st.booleans()):
        return program
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    starts = tuple(rng.integers(0, 4, ()).astype(x.dtype) for x in program.args[2:])
    return program._replace(args=(*program.args[:2], *starts))


def scattering(body: str, element: Element, shape: tuple[int], count: int) -> Op:
    """A scatter of `count` updates into a vector, each by its own index."""
    attributes = {
        "update_window_dims": (),
        "inserted_window_dims": (0,),
        "input_batching_dims": (),
        "scatter_indices_batching_dims": (),
        "scatter_dims_to_operand_dims": (0,),
        "index_vector_dim": 1,
        "indices_are_sorted": False,
        "unique_indices": False,
    }
    index = TensorType((count, 1), ELEMENT_TYPES["i32"])
    tensors = [TensorType(shape, element), index, TensorType((count,), element)]
    region = combining(body, element)
    return Op("stablehlo.scatter", arguments(tensors), results(shape, [element]), attributes, (region,))
