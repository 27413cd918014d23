"""Bodies, functions and programs: recognised, built of one operation, or on other quantized types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import UNBOUNDED
from interp.loading.source import RESERVED
from spec.attributes import Dense, Symbol
from spec.ir import Func, Module, Op, Region, Value, captures
from spec.types import ElementType, QuantizedType, TensorType

ORDERED = {"GE", "GT", "LE", "LT"}


def only_op(body: Region) -> str:
    """Return the operation's name if a body on one operand is a single operation on equal types, else ""."""
    op, types = body.ops[0], {value.type for value in (*body.arguments, *body.returns)}
    plain = len(body.ops) == 2 and op.results == body.returns and {*op.operands} == {*body.arguments}
    alike = len(types) == 1 and len(body.arguments) == 2
    return op.name.removeprefix("stablehlo.") if plain and alike else ""


def combining(body: Region, k: int) -> Op | None:
    """Return the operation that computes result k from both values of operand k alone, or None."""
    n = len(body.arguments) // 2
    pair = {body.arguments[k].name, body.arguments[n + k].name}
    for op in body.ops[:-1]:
        if op.results == (body.returns[k],) and {value.name for value in op.operands} == pair:
            return op
    return None


def body_ops(module: Module, body: Region) -> list[Op | None]:
    """Return, for each operand, the operation that combines its two values, or None; bodies may call."""
    while len(body.ops) == 2 and body.ops[0].name == "func.call" and body.ops[0].operands == body.arguments:
        body = module[body.ops[0]["callee"].name].body
    return [combining(body, k) for k in range(len(body.arguments) // 2)]


def selects_by_order(op: Op) -> bool:
    """Return whether `select` is one comparison that takes the first or the last extreme of a window."""
    select = op.regions[0]
    compare = select.ops[0]
    return (
        len(select.ops) == 2
        and compare.name == "stablehlo.compare"
        and compare["comparison_direction"] in ORDERED
        and {*compare.operands} == {*select.arguments}
    )


def body_of(name: str, type: TensorType) -> Region:
    """Return a body of one operation on two elements of a type."""
    a, b, c = (Value(label, type) for label in ("%a", "%b", "%c"))
    return Region((a, b), (Op(name, (a, b), (c,)), Op("stablehlo.return", (c,), ())))


def code_of(op: Op, *outside: Value) -> Region:
    """Return the body of a function of one operation; `outside` are the values that its regions capture.

    An operand that they capture gets another name: a loop's state is no longer what its body captures.
    """
    inside = {value.name for value in captures(op)}
    if inside.intersection(value.name for value in op.operands):
        operands = tuple(
            Value(f"%operand{RESERVED}{k}", value.type) if value.name in inside else value
            for k, value in enumerate(op.operands)
        )
        op = replace(op, operands=operands)
    return Region((*op.operands, *outside), (op, Op("func.return", op.results, ())))


def run_in(
    ctx: Any, op: Op, operands: Sequence[Any], element: ElementType | None = None, combine: str = ""
) -> Any:
    """Return the one result of an operation on these operands, computed in another element type.

    element: the type of operands and result; indices, other integers, keep theirs.
    combine: the operation that takes the place of the body.
    """

    def type_of(k: int, x: Any) -> TensorType:
        if element is None or (x.dtype.kind in "iu" and x.dtype != ctx.xp.carrier(element)):
            return op.operands[k].type
        return TensorType(x.shape, element)

    values = tuple(Value(f"%x{k}", type_of(k, x)) for k, x in enumerate(operands))
    type = TensorType(op.results[0].type.shape, element or op.results[0].type.element_type)
    regions = (body_of(combine, TensorType((), type.element_type)),) if combine else op.regions
    (result,) = ctx.run(
        code_of(replace(op, operands=values, results=(Value("%r", type),), regions=regions)), operands
    )
    return result


def alone(op: Op, name: str = "main") -> Func:
    """Return a function of one operation; its parameters are the operands and the values it captures."""
    types = tuple(value.type for value in op.results)
    return Func(name, code_of(op, *captures(op)), types, location=op.location)


def outline(op: Op, name: str) -> Func:
    """Return a function to call in place of an operation; a repeated operand becomes two parameters."""
    operands = tuple(Value(f"%operand{RESERVED}{k}", value.type) for k, value in enumerate(op.operands))
    return replace(alone(replace(op, operands=operands), name), public=False)


def reduce_of(
    body: Region, inputs: Sequence[TensorType], inits: Sequence[TensorType], results: Sequence[TensorType]
) -> Op:
    """Return a `reduce` operation with this body along the first dimension of its inputs."""
    x, init, result = (
        tuple(Value(f"%{label}{k}", type) for k, type in enumerate(types))
        for label, types in (("x", inputs), ("init", inits), ("result", results))
    )
    return Op("stablehlo.reduce", (*x, *init), result, {"dimensions": (0,)}, (body,))


# A program on other quantized types: with another expressed type, or wider storage.

Change = Callable[[QuantizedType], QuantizedType]


def remove_bounds(type: QuantizedType) -> QuantizedType:
    """Return the type with storage that holds every integer, infinity and NaN, so that nothing is clipped.

    MLIR has no name for such storage. The type keeps its storage range, to recognise numbers beyond it.
    """
    return replace(type, storage_type=UNBOUNDED, spelling=UNBOUNDED.name)


def retype(type: TensorType, change: Change) -> TensorType:
    if not isinstance(type.element_type, QuantizedType):
        return type
    return replace(type, element_type=change(type.element_type))


def retype_function(func: Func, change: Change, suffix: str = "") -> Func:
    """Return the function on other types; `suffix` is added to its name and those of its callees."""
    results = tuple(retype(type, change) for type in func.results)
    return replace(
        func, name=func.name + suffix, body=retype_region(func.body, change, suffix), results=results
    )


def retype_region(region: Region, change: Change, suffix: str = "") -> Region:
    ops = tuple(retype_op(op, change, suffix) for op in region.ops)
    return Region(_values(region.arguments, change), ops)


def retype_op(op: Op, change: Change, suffix: str = "") -> Op:
    return replace(
        op,
        operands=_values(op.operands, change),
        results=_values(op.results, change),
        attributes={name: _attribute(x, change, suffix) for name, x in op.attributes.items()},
        regions=tuple(retype_region(region, change, suffix) for region in op.regions),
    )


def _values(values: tuple[Value, ...], change: Change) -> tuple[Value, ...]:
    return tuple(replace(value, type=retype(value.type, change)) for value in values)


def _attribute(x: Any, change: Change, suffix: str) -> Any:
    if isinstance(x, Symbol):
        return Symbol(x.name + suffix)
    if not isinstance(x, Dense) or not x.type.is_quantized:
        return x
    type = retype(x.type, change)
    stored = np.frombuffer(x.data, numpy_dtype(x.type.storage_type))
    return replace(x, type=type, data=stored.astype(numpy_dtype(type.storage_type)).tobytes())


# Zero points that are left out: of operands, of the result, or of all

ALL = "all zero points"
# The values of an operation whose zero points are left out, by the name of the deviation.
PLACES: dict[str, Callable[[Op], tuple[Value, ...]]] = {
    "zero point of the first operand": lambda op: op.operands[:1],
    "zero point of the second operand": lambda op: op.operands[1:2],
    "zero points of the operands": lambda op: op.operands,
    "zero point of the result": lambda op: op.results,
    ALL: lambda op: (*op.operands, *op.results),
}


def has_points(values: tuple[Value, ...]) -> bool:
    """Return whether a value of a quantized type has a zero point other than 0."""
    types = [value.type.element_type for value in values]
    return any(isinstance(type, QuantizedType) and any(type.zero_points) for type in types)


def may_omit(place: str, op: Op) -> bool:
    """Return whether zero points can be left out at an operation, and no other place means the same ones.

    A body has the types of its operands and results, so that only all are left out of a reduction.
    """
    parts = [op.operands[:1], op.operands[1:], op.results]
    there = [has_points(part) for part in parts]
    if op.regions:
        return place == ALL and any(there)
    several = {"zero points of the operands": all(there[:2]), ALL: there[2] and any(there[:2])}
    return several.get(place, has_points(PLACES[place](op)))


def without_points(op: Op, place: str) -> Op:
    """Return the operation on types whose zero points are 0, where this place says so."""
    if op.regions:
        return retype_op(op, _without)
    left_out = [id(value) for value in PLACES[place](op)]
    changed = lambda v: replace(v, type=retype(v.type, _without)) if id(v) in left_out else v
    return replace(op, operands=tuple(map(changed, op.operands)), results=tuple(map(changed, op.results)))


def _without(type: QuantizedType) -> QuantizedType:
    return replace(type, zero_points=(0,) * len(type.zero_points))
