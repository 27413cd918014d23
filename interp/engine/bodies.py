"""Recognition and construction of bodies, functions and programs of one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interp.loading.names import RESERVED
from spec.ir import Func, Module, Op, Region, Value, captures
from spec.types import ElementType, TensorType

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
    """Return the body of a function of one operation; `outside` are the values that its regions capture."""
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
