"""Programs with a few small changes to their operation, most of which break a constraint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from spec.ir import Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, TensorType, make_quantized
from tests.library.builders import Element, module
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import PROGRAMS, Program

Draw = Callable[..., Any]
PLAIN = ("f32", "bf16", "f64", "i1", "i8", "ui8", "i32", "complex<f32>")
ELEMENTS = (
    *(ELEMENT_TYPES[name] for name in PLAIN),
    make_quantized("i8", "f32", 0.5),
    make_quantized("i8", "f32", 0.25, 3),
    make_quantized("i8", "f32", 0.5, storage_min=-100),
    make_quantized("u8", "f32", 0.5),
    make_quantized("i32", "f32", 0.5),
    make_quantized("i8", "bf16", 0.5),
    make_quantized("i8", "f32", [0.5, 0.25], [0, 0], quantization_dimension=0),
)
WORDS = ("GE", "EQ", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")


@st.composite
def broken(draw: st.DrawFn) -> Module:
    """A random program after up to two changes."""
    program: Program = draw(st.one_of(PROGRAMS, *FAMILIES.values()))
    op = program.module.main.body.ops[0]
    for _ in range(draw(st.sampled_from([1, 1, 2, 0]))):
        op = draw(st.sampled_from(CHANGES))(draw, op)
    return module(op)


def change_type(draw: Draw, op: Op) -> Op:
    """One operand or result has another shape or element type."""
    part = draw(st.sampled_from(["operands", "results"]))
    values = list(getattr(op, part))
    if values:
        at = draw(st.integers(0, len(values) - 1))
        values[at] = Value(values[at].name, other_type(draw, values[at].type))
    return replace(op, **{part: tuple(values)})


def change_elements(draw: Draw, op: Op) -> Op:
    """Everywhere another element type in one's place: the operation stays consistent."""
    values = [*op.operands, *op.results]
    old = draw(st.sampled_from([value.type.element_type for value in values]))
    return retyped_op(op, old, draw(st.sampled_from(ELEMENTS)))


def change_body(draw: Draw, op: Op) -> Op:
    """A body computes in another element type, or has other arguments or results."""
    if not op.regions:
        return op
    at = draw(st.integers(0, len(op.regions) - 1))
    regions = list(op.regions)
    regions[at] = draw(st.sampled_from([other_element, other_arguments, other_returns]))(draw, regions[at])
    return replace(op, regions=tuple(regions))


def change_attribute(draw: Draw, op: Op) -> Op:
    """An attribute is missing, or a little off."""
    if not op.attributes:
        return op
    name = draw(st.sampled_from(sorted(op.attributes)))
    if draw(st.integers(0, 9)) == 0:
        return replace(op, attributes={k: v for k, v in op.attributes.items() if k != name})
    value = ((0, 0),) if op[name] == () and name == "padding" else other_value(draw, op[name])
    return replace(op, attributes={**op.attributes, name: value})


def change_count(draw: Draw, op: Op) -> Op:
    """One operand, result or region less or more."""
    part = draw(st.sampled_from(["operands", "results", "regions"]))
    items = list(getattr(op, part))
    if items and draw(st.booleans()):
        del items[draw(st.integers(0, len(items) - 1))]
    elif items:
        extra = items[draw(st.integers(0, len(items) - 1))]
        items.append(replace(extra, name="%extra") if isinstance(extra, Value) else extra)
    return replace(op, **{part: tuple(items)})


CHANGES = (
    change_type,
    change_type,
    change_elements,
    change_body,
    change_attribute,
    change_attribute,
    change_count,
)


def other_type(draw: Draw, type: TensorType) -> TensorType:
    if draw(st.booleans()):
        return replace(type, element_type=draw(st.sampled_from(ELEMENTS)))
    return replace(type, shape=other_value(draw, type.shape, least=0))


def other_value(draw: Draw, value: Any, least: int = -1) -> Any:
    """Return a list an item longer, shorter or with another item; for a number, a neighbour."""
    if isinstance(value, tuple):
        at = draw(st.integers(0, max(0, len(value) - 1)))
        item = value[at] if value else draw(st.sampled_from([0, 1, 2]))
        kind = draw(st.sampled_from(["item", "item", "more", "less"])) if value else "more"
        if kind == "item" and isinstance(item, tuple):  # a row of padding keeps its two columns
            item = tuple(other_value(draw, edge) for edge in item)
        elif kind == "item":
            item = other_value(draw, item, least)
        return (*value[:at], *{"less": (), "item": (item,), "more": (item, item)}[kind], *value[at + 1 :])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(least, value + draw(st.sampled_from([-1, 1, -2, 2])))
    return draw(st.sampled_from(WORDS)) if isinstance(value, str) else value


def other_element(draw: Draw, region: Region) -> Region:
    old = draw(st.sampled_from([value.type.element_type for value in region.arguments]))
    return retyped(region, old, draw(st.sampled_from(ELEMENTS)))


def other_arguments(draw: Draw, region: Region) -> Region:
    """One argument more, which nothing uses, or of another type."""
    if draw(st.booleans()):
        return replace(region, arguments=(*region.arguments, replace(region.arguments[0], name="%extra")))
    at = draw(st.integers(0, len(region.arguments) - 1))
    old = region.arguments[at]
    new = Value(old.name, other_type(draw, old.type))
    renamed = {old.name: new}
    arguments = tuple(renamed.get(value.name, value) for value in region.arguments)
    ops = tuple(
        replace(op, operands=tuple(renamed.get(value.name, value) for value in op.operands))
        for op in region.ops
    )
    return Region(arguments, ops)


def other_returns(draw: Draw, region: Region) -> Region:
    """It returns other values, or another number of them."""
    known = [*region.arguments, *(value for op in region.ops for value in op.results)]
    count = draw(st.sampled_from([len(region.returns), len(region.returns) - 1, len(region.returns) + 1]))
    values = tuple(draw(st.sampled_from(known)) for _ in range(count))
    return replace(region, ops=(*region.ops[:-1], replace(region.ops[-1], operands=values)))


def retyped_op(op: Op, old: Element, new: Element) -> Op:
    values = lambda vs: tuple(
        Value(v.name, replace(v.type, element_type=new)) if v.type.element_type == old else v for v in vs
    )
    regions = tuple(retyped(region, old, new) for region in op.regions)
    return replace(op, operands=values(op.operands), results=values(op.results), regions=regions)


def retyped(region: Region, old: Element, new: Element) -> Region:
    inside = retyped_op(Op("", region.arguments, ()), old, new).operands
    return Region(inside, tuple(retyped_op(op, old, new) for op in region.ops))
