"""Random programs of one collective, on random grids: groups, types and operands."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from interp.backends.dtypes import numpy_dtype
from spec.grid import Grid
from spec.ir import Module, Op, Value
from spec.types import ELEMENT_TYPES, TensorType, make_quantized
from tests.library.builders import Element, arguments, combining, module

TYPES: list[Element] = [
    *(ELEMENT_TYPES[name] for name in ("i8", "ui8", "i1", "f32", "bf16", "complex<f32>")),
    make_quantized("i8", "f32", 0.5, 3),
    make_quantized("i8", "f32", 0.3, -7),
]
NUMBERS = [t for t in TYPES if t not in (ELEMENT_TYPES["complex<f32>"],)]


class OnGrid(NamedTuple):
    """A program, the grid that it runs on, and the arguments of each process."""

    module: Module
    grid: Grid
    args: list[list[np.ndarray]]


def table(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """Lists of ids as an attribute, filled up with -1."""
    width = max(map(len, rows), default=0)
    return tuple((*row, *[-1] * (width - len(row))) for row in rows)


def partition(draw: st.DrawFn, ids: int, equal: bool) -> list[list[int]]:
    """Split ids into groups, of one size if `equal`."""
    order = list(draw(st.permutations(range(ids))))
    if equal:
        size = draw(st.sampled_from([n for n in range(1, ids + 1) if ids % n == 0]))
        return [order[i : i + size] for i in range(0, ids, size)]
    cuts = sorted(draw(st.sets(st.integers(1, ids - 1)))) if ids > 1 else []
    return [order[a:b] for a, b in zip([0, *cuts], [*cuts, ids], strict=True)]


def by_device(draw: st.DrawFn, grid: Grid, equal: bool) -> tuple[dict[str, Any], int]:
    """Attributes of all_gather, all_reduce and reduce_scatter, and the size of the first group."""
    channel, flat = draw(st.sampled_from([(0, False), (1, False), (1, True)]))
    groups = partition(draw, grid.num_processes if flat else grid.num_replicas, equal)
    times = grid.num_partitions if channel and not flat else 1
    found = {"replica_groups": table(groups), "channel_id": channel, "channel_type": 0}
    return {**found, "use_global_device_ids": flat}, len(groups[0]) * times


def by_channel(draw: st.DrawFn, grid: Grid) -> tuple[dict[str, Any], int]:
    """Attributes that name the channel of the other collectives, and how many ids there are."""
    channel = draw(st.integers(0, 1))
    ids = grid.num_partitions if channel else grid.num_replicas
    return {"channel_id": channel, "channel_type": 0}, ids


def resized(type: TensorType, d: int, size: int) -> TensorType:
    return TensorType((*type.shape[:d], size, *type.shape[d + 1 :]), type.element_type)


@st.composite
def collectives(draw: st.DrawFn) -> OnGrid:
    """Every collective, with one or two operands where it takes several."""
    grid = Grid(draw(st.integers(1, 3)), draw(st.integers(1, 2)))
    name = draw(st.sampled_from(list(DRAWN)))
    rank = draw(st.integers(1, 2))
    shape = tuple(draw(st.integers(0, 3)) for _ in range(rank))
    element = draw(st.sampled_from(NUMBERS if "reduce" in name else TYPES))
    op = DRAWN[name](draw, name, grid, TensorType(shape, element), draw(st.integers(0, rank - 1)))
    program = module(op)
    seed = np.random.default_rng(draw(st.integers(0, 99)))
    args = [[elements(seed, v.type) for v in program.main.inputs] for _ in grid.process_ids]
    return OnGrid(program, grid, args)


def elements(seed: np.random.Generator, type: TensorType) -> np.ndarray:
    storage, dtype = type.storage_type, numpy_dtype(type.storage_type)
    if storage.kind == "boolean":
        return seed.integers(0, 2, type.shape).astype(bool)
    if storage.is_integer:
        return seed.integers(storage.min_value, storage.max_value + 1, type.shape).astype(dtype)
    return seed.standard_normal(type.shape).astype(dtype)


def made(
    name: str, inputs: list[TensorType], results: list[TensorType], attributes: dict[str, Any], *body: Any
) -> Op:
    values = tuple(Value(f"%{k}", type) for k, type in enumerate(results))
    return Op(f"stablehlo.{name}", arguments(inputs), values, attributes, body)


def gather(draw: st.DrawFn, name: str, grid: Grid, type: TensorType, d: int) -> Op:
    attributes, size = by_device(draw, grid, equal=True)
    inputs = [type] * draw(st.integers(1, 2))
    results = [resized(type, d, type.shape[d] * size)] * len(inputs)
    return made(name, inputs, results, {"all_gather_dim": d, **attributes})


def reduce(draw: st.DrawFn, name: str, grid: Grid, type: TensorType, d: int) -> Op:
    attributes, _ = by_device(draw, grid, equal=False)
    inputs = [type] * draw(st.integers(1, 2))
    return made(name, inputs, inputs, attributes, body(draw, type))


def body(draw: st.DrawFn, type: TensorType) -> Any:
    return combining(draw(st.sampled_from(["add", "maximum", "multiply"])), type.element_type)


def scatter(draw: st.DrawFn, name: str, grid: Grid, type: TensorType, d: int) -> Op:
    attributes, size = by_device(draw, grid, equal=True)
    operand = resized(type, d, type.shape[d] * size)
    return made(name, [operand], [type], {"scatter_dimension": d, **attributes}, body(draw, type))


def exchange(draw: st.DrawFn, name: str, grid: Grid, type: TensorType, d: int) -> Op:
    attributes, ids = by_channel(draw, grid)
    groups = partition(draw, ids, equal=True)
    size, e = len(groups[0]), draw(st.integers(0, type.rank - 1))
    operand = resized(type, d, type.shape[d] * size)
    result = operand if d == e else resized(type, e, type.shape[e] * size)
    numbers = {"split_dimension": d, "concat_dimension": e, "split_count": size}
    return made(name, [operand], [result], {**numbers, "replica_groups": table(groups), **attributes})


def permute(draw: st.DrawFn, name: str, grid: Grid, type: TensorType, d: int) -> Op:
    attributes, ids = by_channel(draw, grid)
    sources, targets = (draw(st.permutations(range(ids))) for _ in range(2))
    pairs = tuple(zip(sources, targets, strict=True))[: draw(st.integers(0, ids))]
    return made(name, [type], [type], {"source_target_pairs": pairs, **attributes})


def rooted(draw: st.DrawFn, name: str, grid: Grid, type: TensorType, d: int) -> Op:
    attributes, ids = by_channel(draw, grid)
    groups = partition(draw, ids, equal=False)[: draw(st.integers(1, 2))]
    found = {"replica_groups": table(groups), "has_dynamic_root": False, **attributes}
    return made(name, [type], [type], found, *([body(draw, type)] if "reduce" in name else []))


DRAWN = {
    "all_gather": gather,
    "all_reduce": reduce,
    "all_to_all": exchange,
    "collective_broadcast": rooted,
    "collective_permute": permute,
    "collective_reduce": rooted,
    "reduce_scatter": scatter,
}
