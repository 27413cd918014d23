"""The float references of reductions, in a form that XLA computes as the specification defines it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interp.engine.bodies import body_ops
from interp.engine.identity import identity
from interp.engine.leaf_counts import WINDOW, WINDOWED, dilation_factors
from interp.rewrite.float_reference_rules import (
    Original,
    Rewritten,
    conversions,
    dense_of,
    plain,
    with_operands,
)
from spec.errors import Unsupported
from spec.ir import Op, Region, Value
from spec.types import TensorType


def reduction(at: Original) -> Rewritten:
    """Return a reduction of inputs and init values in the body's types.

    If the body has an identity, init values are combined outside the reduction: XLA assumes that an init
    value is the identity, and counts it once per block of 32 elements, or not at all for a single element,
    while the specification counts it once (erratum E9).
    """
    at = _cut(at)
    converted = conversions(at, at.operands, [v.type for v in at.regions[0].arguments])
    half = len(at.operands) // 2
    inputs, inits = converted.results[:half], converted.results[half:]
    apart = [
        _apart(at, k, combine, inputs[k], inits[k])
        for k, combine in enumerate(body_ops(at.module, at.op.regions[0]))
        if combine and _identity(at, k, combine) is not None
    ]
    if len(apart) == half:
        ops = tuple(op for part in apart for op in part.ops)
        reduced = tuple(value for part in apart for value in part.results)
    else:
        reduced = tuple(_accumulator_value(at, f"reduced{k}", k) for k in range(half))
        ops = (replace(at.op, operands=converted.results, results=reduced, regions=at.regions),)
    finished = conversions(at, reduced, [plain(v.type) for v in at.op.results], "result")
    return Rewritten((*converted.ops, *ops, *finished.ops), finished.results)


def _cut(at: Original) -> Original:
    """Limit negative padding to the operand's size: otherwise XLA aborts the process."""
    if at.op.name not in WINDOWED:
        return at
    dilations = dilation_factors(at.op, "base_dilations")
    sizes = [(n - 1) * d + 1 if n else 0 for n, d in zip(at.operands[0].type.shape, dilations, strict=True)]
    padding = zip(sizes, at.op["padding"], strict=True)
    edges = tuple((low, max(high, -low - size)) for size, (low, high) in padding)
    return replace(at, op=replace(at.op, attributes={**at.op.attributes, "padding": edges}))


def _accumulator_value(at: Original, label: str, k: int) -> Value:
    """Return a value of the shape of result k, in the body's type."""
    return at.fresh(label, replace(at.regions[0].arguments[k].type, shape=at.op.results[k].type.shape))


def _identity(at: Original, k: int, combine: Op) -> Any:
    """Return the identity of a body's operation on expressed values."""
    result = replace(combine.result, type=at.regions[0].arguments[k].type)
    return identity(replace(combine, results=(result,)))


def _apart(at: Original, k: int, combine: Op, value: Value, init: Value) -> Rewritten:
    """Return the reduction of operand k alone: `combine(init, r)`, where r reduces from the identity."""
    scalar = at.regions[0].arguments[k].type
    a, b, c, start = (at.fresh(f"{label}{k}", scalar) for label in ("lhs", "rhs", "both", "start"))
    body = Region((a, b), (at.new(combine.name, [a, b], [c]), at.new("stablehlo.return", [c], [])))
    padding, attributes, value = _explicit_padding(at, k, value, init)
    reduced, spread, whole = (_accumulator_value(at, f"{label}{k}", k) for label in ("reduced", "init", "whole"))
    neutral = dense_of(_identity(at, k, combine), scalar)
    ops = (
        at.new("stablehlo.constant", [], [start], value=neutral),
        Op(at.op.name, (value, start), (reduced,), attributes, (body,), at.op.location),
        at.new("stablehlo.broadcast_in_dim", [init], [spread], broadcast_dimensions=()),
        at.new(combine.name, [spread, reduced], [whole]),
    )
    return Rewritten((*padding, *ops), (whole,))


def _explicit_padding(at: Original, k: int, value: Value, init: Value) -> tuple[tuple[Op, ...], dict[str, Any], Value]:
    """Return a reduce_window's padding and base dilation as a `pad` with the init value (E10)."""
    attributes = dict(at.op.attributes)
    if at.op.name != WINDOW:
        return (), attributes, value
    edges, dilations = at.op["padding"], at.op["base_dilations"]
    if set(edges) <= {(0, 0)} and set(dilations) <= {1}:
        return (), attributes, value
    low, high = zip(*edges, strict=True)
    sizes = zip(value.type.shape, edges, dilations, strict=True)
    shape = tuple(sum(edge) + ((n - 1) * d + 1 if n else 0) for n, edge, d in sizes)
    padded = at.fresh(f"padded{k}", replace(value.type, shape=shape))
    pad = at.new(
        "stablehlo.pad",
        [value, init],
        [padded],
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=tuple(d - 1 for d in dilations),
    )
    attributes |= {"padding": ((0, 0),) * len(edges), "base_dilations": (1,) * len(edges)}
    return (pad,), attributes, padded


def select_and_scatter(at: Original) -> Rewritten:
    """Convert to the element type of `scatter`, since XLA demands one type; `select` compares as before."""
    at = _cut(at)
    source, element = at.operands[0].type, at.regions[1].arguments[0].type
    if source.rank == 0 or source.storage_type.kind != element.storage_type.kind:
        raise Unsupported(
            f"{at.op.name} on {source!r} has no float reference",
            "XLA needs at least rank 1 (else its compiler aborts the process) and a single element type",
            at.op.location,
        )
    if 0 in at.operands[1].type.shape:
        return _nothing_scattered(at, element)
    select = _retype_region(at.regions[0], source.element_type, element.element_type)
    return with_operands(replace(at, regions=(select, at.regions[1])), [element] * 3)


def _nothing_scattered(at: Original, element: TensorType) -> Rewritten:
    """Return the init everywhere: no window fits, and XLA of jaxlib 0.8.1 compiles such a program forever."""
    init = at.operands[2]
    scalar = at.fresh("init", replace(init.type, element_type=element.element_type))
    out = Value(at.op.result.name, replace(at.operands[0].type, element_type=element.element_type))
    convert = at.new("stablehlo.convert", [init], [scalar])
    return Rewritten(
        (convert, at.new("stablehlo.broadcast_in_dim", [scalar], [out], broadcast_dimensions=())), (out,)
    )


def scatter(at: Original) -> Rewritten:
    """Convert inputs and updates to the body's types once; XLA would convert at every step.

    XLA skips a window that is not wholly in bounds, while the specification skips single elements: then the
    reference differs.
    """
    n, types = len(at.op.results), [value.type for value in at.regions[0].arguments]
    return with_operands(at, [*types[:n], at.operands[n].type, *types[n:]])


def _retype_region(region: Region, source: Any, element: Any) -> Region:
    def value(v: Value) -> Value:
        return replace(v, type=replace(v.type, element_type=element)) if v.type.element_type == source else v

    def values(vs: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(map(value, vs))

    ops = tuple(replace(op, operands=values(op.operands), results=values(op.results)) for op in region.ops)
    return Region(values(region.arguments), ops)
