"""Rewrite of GSPMD's shard_map, between its two custom calls, as `sdy.manual_computation`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import prod
from typing import NamedTuple

from spec.ir import Module, Op, Opaque, Region, Value
from spec.shardings import MANUAL

CUSTOM_CALL = "stablehlo.custom_call"
_ENTER, _LEAVE = "SPMDFullToShardShape", "SPMDShardToFullShape"


def as_manual(module: Module) -> Module:
    """Return the module with each computation on shards as `sdy.manual_computation`.

    Such a computation lies between custom calls of `SPMDFullToShardShape` and `SPMDShardToFullShape`. One of
    another form, or with another kind of sharding, is left as it is, and refused later by the call's name.
    """
    if not any(_target(op) == _ENTER for op in module.ops()):
        return module
    functions = {
        name: replace(function, body=_manual_region(function.body)) for name, function in module.functions.items()
    }
    return replace(module, functions=functions)


@dataclass
class _Part:
    """A computation on shards: the operations that enter it, those inside, and those that leave it."""

    enter: list[Op] = field(default_factory=list)
    inside: list[Op] = field(default_factory=list)
    leave: list[Op] = field(default_factory=list)

    @property
    def names(self) -> set[str]:
        return {value.name for op in (*self.enter, *self.inside) for value in op.results}


def _target(op: Op) -> str:
    return str(op.attributes.get("call_target_name", "")) if op.name == CUSTOM_CALL else ""


def _manual_region(region: Region) -> Region:
    """Return a region in which each computation stands in place of the first operation that leaves it."""
    parts = _parts(region.ops)
    made = {id(part.leave[0]): op for part in parts if (op := _manual(part, region.ops))}
    taken = {
        id(op)
        for part in parts
        if id(part.leave[0]) in made
        for op in (*part.enter, *part.inside, *part.leave)
    }
    ops = [made.get(id(op), op) for op in region.ops if id(op) in made or id(op) not in taken]
    inner = [replace(op, regions=tuple(map(_manual_region, op.regions))) if op.regions else op for op in ops]
    return Region(region.arguments, tuple(inner))


def _parts(ops: Sequence[Op]) -> list[_Part]:
    """Return the computations on shards in program order."""
    parts: list[_Part] = []
    for op in ops:
        if _target(op) == _ENTER:
            if not parts or parts[-1].leave:
                parts.append(_Part())
            parts[-1].enter.append(op)
        elif parts and parts[-1].names & {value.name for value in op.operands}:
            (parts[-1].leave if _target(op) == _LEAVE else parts[-1].inside).append(op)
    return [part for part in parts if part.leave]


def _manual(part: _Part, ops: Sequence[Op]) -> Op | None:
    """Return a part as a manual computation, or None if it cannot be one."""
    inner = {value.name for op in part.inside for value in op.operands}
    if not inner <= part.names or any(op.regions for op in part.inside):
        return None
    makers = {value.name: op for op in ops for value in op.results}
    split = [_tiling(makers.get(op.operands[0].name)) for op in part.enter]
    joined = [_tiling(op) for op in part.leave]
    known = [each for each in (*split, *joined) if each is not None]
    sizes = mesh_of(known) if len(known) == len(split) + len(joined) else None
    if sizes is None:
        return None
    arguments = tuple(op.results[0] for op in part.enter)
    operands, results = (
        tuple(value for op in part.enter for value in op.operands),
        tuple(value for op in part.leave for value in op.results),
    )
    end = Op("sdy.return", tuple(op.operands[0] for op in part.leave), (), location=part.leave[-1].location)
    attributes = {
        "in_shardings": _text(known[: len(split)], operands, sizes),
        "manual_axes": Opaque(f"#sdy<manual_axes{{{', '.join(map(_axis, range(len(sizes))))}}}>"),
        "out_shardings": _text(known[len(split) :], results, sizes),
    }
    body = Region(arguments, (*part.inside, end))
    return Op(MANUAL, operands, results, attributes, (body,), part.enter[0].location)


def _tiling(op: Op | None) -> Tiling | None:
    return tiling(str(op.attributes.get("mhlo.sharding", ""))) if op else None


def _axis(k: int) -> str:
    return f'"axis{k}"'


def _text(tilings: Sequence[Tiling], values: Sequence[Value], sizes: Sequence[int]) -> Opaque:
    """Return the shardings of values in the text form of the dialect sdy."""
    mesh = ", ".join(f"{_axis(k)}={size}" for k, size in enumerate(sizes))
    texts = []
    for each, value in zip(tilings, values, strict=True):
        rank = value.type.rank
        dimensions = [*axes_of(each, sizes), *([[]] * rank)][:rank]
        listed = ", ".join(f"{{{', '.join(map(_axis, axes))}}}" for axes in dimensions)
        texts.append(f"<mesh<[{mesh}]>, [{listed}]>")
    return Opaque(f"#sdy.sharding_per_value<[{', '.join(texts)}]>")


# Conversion of GSPMD's shardings, such as `{devices=[2,1]<=[2]}`, to axes of one mesh for a computation


_TILED = re.compile(
    r"\{devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))"
    r"( last_tile_dim_replicate| last_tile_dims=\{(?:manual|replicated)\})?\}"
)


class Tiling(NamedTuple):
    """The number of tiles per dimension, and the order of devices as a reshape and a transpose of iota."""

    tiles: tuple[int, ...]
    sizes: tuple[int, ...]
    order: tuple[int, ...]


def tiling(text: str) -> Tiling | None:
    """Return a sharding's tiling, without tiles where it is replicated; None if it is of another kind."""
    if text == "{replicated}":
        return Tiling((), (), ())
    match = _TILED.fullmatch(text)
    if match is None:
        return None
    tiles, sizes, order, listed = (
        tuple(map(int, part.split(","))) if part else () for part in match.groups()[:4]
    )
    if listed and listed != tuple(range(prod(tiles))):
        return None
    sizes = sizes or (prod(tiles),)
    return Tiling(tiles, sizes, order or tuple(range(len(sizes))))


def mesh_of(tilings: Sequence[Tiling]) -> list[int] | None:
    """Return the sizes of a mesh's axes such that every tiling splits along whole axes, or None."""
    counts = {prod(each.tiles) for each in tilings if each.tiles}
    if len(counts) != 1:
        return None
    strides = {1, *counts}  # of the axes: how far apart neighbours are, and the number of devices
    while True:
        sizes = _sizes(strides)
        if sizes is None:
            return None
        found = [_split(each, sizes) for each in tilings if each.tiles]
        if any(part is None for part in found):
            return None
        more = {part for part in found if isinstance(part, int)}
        if not more:
            return sizes
        strides |= more


def axes_of(each: Tiling, sizes: Sequence[int]) -> list[list[int]]:
    """Return the numbers of the axes that split each dimension, the major one first."""
    split = _split(each, sizes) if each.tiles else []
    assert isinstance(split, list)
    return split


def _sizes(strides: set[int]) -> list[int] | None:
    """Return the sizes of axes with these strides; None if a stride does not divide the next one."""
    falling = sorted(strides, reverse=True)
    pairs = list(pairwise(falling))
    return None if any(high % low for high, low in pairs) else [high // low for high, low in pairs]


def _split(each: Tiling, sizes: Sequence[int]) -> list[list[int]] | int | None:
    """Return the axes by dimension; or the stride at which an axis must be divided first; or None."""
    strides = [prod(sizes[k + 1 :]) for k in range(len(sizes))]
    waiting: list[int] = []
    for d in each.order:
        low = prod(each.sizes[d + 1 :])
        high = low * each.sizes[d]
        for stride in (low, high):
            if stride not in (*strides, prod(sizes), 1):
                return stride
        waiting += [k for k, stride in enumerate(strides) if low <= stride < high]
    found: list[list[int]] = []
    for count in each.tiles:
        axes: list[int] = []
        while (rest := count // prod(sizes[k] for k in axes)) > 1:
            k = waiting.pop(0)
            if sizes[k] % rest and rest % sizes[k]:
                return None
            if sizes[k] > rest:
                return strides[k] * (sizes[k] // rest)
            axes.append(k)
        found.append(axes)
    return found
