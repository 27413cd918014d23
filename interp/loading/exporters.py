"""Composites and custom calls of exporters: fake quantization, and GSPMD's shard_map."""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from interp.loading.attributes import constant, unquote
from spec.attributes import Dense, Opaque
from spec.errors import InterpError
from spec.grid import MANUAL
from spec.ir import Func, Module, Op, Region, Value, callee_names, nested_ops
from spec.types import QuantizedType, make_quantized, parse_element_type

# Composites that mean quantization, read as such: `quant.fake_quant` of Qwix, LiteRT and `interp.jax`.
#
# The composite becomes `stablehlo.uniform_quantize` and `stablehlo.uniform_dequantize`, or `quant.qcast`
# and `quant.dcast` for types with blocks, which give the bits of its decomposition. One whose attributes
# are not understood stays, and runs as its decomposition.

COMPOSITE, FAKE_QUANT, CONSTANT = "stablehlo.composite", "quant.fake_quant", "stablehlo.constant"
CLAMPS = {"stablehlo.clamp", "stablehlo.maximum", "stablehlo.minimum"}
CONVERSIONS = "stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"
CASTS = "quant.qcast", "quant.dcast"  # for types with blocks, to which StableHLO does not quantize
STORAGE = re.compile(r"u?i(\d+)|u(\d+)")


def as_quantized(module: Module) -> Module:
    """Return the program with its fake quantization as operations; one without is returned unchanged.

    `Module.as_written` of the result is the program as it was.
    """
    types = {id(op): type for op in module.ops() if (type := quantized_type(module, op)) is not None}
    if not types:
        return module
    functions = _reachable_functions(
        {name: _rewrite_function(func, types) for name, func in module.functions.items()}
    )
    return replace(module, functions=functions, composed=(functions, module))


def _reachable_functions(functions: dict[str, Func]) -> dict[str, Func]:
    """Return the functions without the private ones that nothing calls any more."""
    while True:
        calls = {
            name for func in functions.values() for op in nested_ops(func.body) for name in callee_names(op)
        }
        kept = {name: f for name, f in functions.items() if f.public or name in calls}
        if len(kept) == len(functions):
            return kept
        functions = kept


def quantized_type(module: Module, op: Op) -> QuantizedType | None:
    """Return the type to which an operation quantizes in between, or None if it is no such composite."""
    if op.name != COMPOSITE or op.attributes.get("name") != FAKE_QUANT or len(op.results) != 1:
        return None
    if not op.operands or op.operands[-1].type != op.result.type:
        return None
    text = repr(op.attributes.get("composite_attributes", ""))
    try:
        type = _own(text) or _qwixs(text, op, module)
    except (InterpError, ValueError):
        return None
    return type if type and type.expressed_type == op.result.type.element_type else None


def _own(text: str) -> QuantizedType | None:
    """Return the type that `interp.jax.fake_quant` wrote."""
    found = re.search(r'quantized_type = ("(?:[^"\\]|\\.)*")', text)
    type = parse_element_type(unquote(found[1])) if found else None
    return type if isinstance(type, QuantizedType) else None


def _qwixs(text: str, op: Op, module: Module) -> QuantizedType | None:
    """Return the type in the attributes that Qwix writes.

    `narrow_range` counts only where the decomposition clamps: Qwix writes it for weights, converts them with
    saturation, and so stores -128 all the same.
    """
    storage = re.search(r'\bdtype = "(\w+)"', text)
    scales, points = (_numbers(text, name) for name in ("scale", "zero_point"))
    axis = re.search(r"\bquantization_dimension = (\d+)", text)
    if not storage or not STORAGE.fullmatch(storage[1]) or not scales or (len(scales) > 1 and not axis):
        return None
    expressed = op.result.type.storage_type
    if expressed.kind != "float" or (points and len(points) != len(scales)):
        return None
    if not all(float(point).is_integer() for point in points):
        return None
    type = make_quantized(
        storage[1],
        expressed.name,
        scales,
        [int(z) for z in points or [0] * len(scales)],
        quantization_dimension=int(axis[1]) if axis else None,
    )
    narrow = "narrow_range = true" in text and _clamps(module, op)
    return replace(type, storage_min=type.storage_min + 1) if narrow else type


def _numbers(text: str, name: str) -> Sequence[float]:
    """Return the numbers of an attribute `name = dense<...>`; none if it is absent or empty."""
    found = re.search(rf"\b{name} = (dense<[^>]*> : tensor<[^>]*>)", text)
    dense = constant(found[1], lambda: b"") if found else None
    if not isinstance(dense, Dense) or dense.type.storage_type.name not in ("f32", "f64", "i64", "i32"):
        return ()
    code = {"f32": "<f", "f64": "<d", "i64": "<q", "i32": "<i"}[dense.type.storage_type.name]
    numbers = [x for (x,) in struct.iter_unpack(code, dense.data)]
    return numbers * (dense.type.size if dense.splat else 1)


def _clamps(module: Module, composite: Op) -> bool:
    """Return whether the decomposition, or a function that it calls, clamps; one may call itself."""
    seen: set[str] = set()
    todo = [*callee_names(composite)]
    while todo:
        name = todo.pop()
        if name in seen or name not in module.functions:
            continue
        seen.add(name)
        for op in nested_ops(module.functions[name].body):
            if op.name in CLAMPS:
                return True
            todo += callee_names(op)
    return False


def _rewrite_function(func: Func, types: dict[int, QuantizedType]) -> Func:
    """Return a function with conversions in place of composites, and without the constants they took."""
    values = [*func.inputs, *(v for op in nested_ops(func.body) for v in (*op.results, *_arguments(op)))]
    names, taken = {v.name for v in values}, set[str]()
    body = _rewrite_region(func.body, types, names, taken)
    read = {v.name for op in nested_ops(body) for v in op.operands}
    ops = tuple(op for op in body.ops if op.name != CONSTANT or op.result.name in read | (names - taken))
    return replace(func, body=replace(body, ops=ops))


def _arguments(op: Op) -> Iterator[Value]:
    return (v for region in op.regions for v in region.arguments)


def _rewrite_region(
    region: Region, types: dict[int, QuantizedType], names: set[str], taken: set[str]
) -> Region:
    """Return a region with conversions; `taken` gets the names of operands that stood for parameters."""
    ops: list[Op] = []
    for op in region.ops:
        if id(op) not in types:
            regions = tuple(_rewrite_region(inner, types, names, taken) for inner in op.regions)
            ops.append(replace(op, regions=regions) if regions else op)
            continue
        taken |= {v.name for v in op.operands[:-1]}
        stem = op.result.name.removeprefix("%").replace("#", "_")
        spellings: Iterator[Any] = (f"%stored{k or ''}.{stem}" for k in itertools.count())
        name = next(name for name in spellings if name not in names)
        names.add(name)
        stored = Value(name, replace(op.result.type, element_type=types[id(op)]))
        to, back = CASTS if types[id(op)].block_sizes is not None else CONVERSIONS
        ops.append(Op(to, op.operands[-1:], (stored,), location=op.location))
        ops.append(Op(back, (stored,), op.results, location=op.location))
    return replace(region, ops=tuple(ops))


# Rewrite of GSPMD's shard_map, between its two custom calls, as `sdy.manual_computation`.

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
        name: replace(function, body=_manual_region(function.body))
        for name, function in module.functions.items()
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
