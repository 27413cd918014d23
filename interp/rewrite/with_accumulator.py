"""`with_accumulator`: a program with another accumulation type in one of its reductions or contractions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from interp.engine.arguments import function_named
from interp.engine.facts import facts
from interp.engine.quant import Type
from interp.execute.run import refuse_violations
from interp.recorder.names import find, operations
from spec.errors import Unsupported
from spec.ir import Func, Module, Op, Region, Value, nested_ops
from spec.quantized import storage_range
from spec.rules.verify import refuse_other
from spec.types import ElementType, QuantizedType, TensorType, element_type_of

Values = Mapping[str, Value]


def with_accumulator(
    module: Module, name: str | int | Op, type: Type | str, function: str | None = None
) -> Module:
    """Return the module with `type` (or its text) as accumulation and result type of the reduction `name`.

    A quantized `dot_general` or `convolution` is such a reduction, too: its type is that of its result, which
    its sums are rounded to once. An integer type, `i16`, stands for such storage with scales and zero points
    as they are.

    Operations that only move, dequantize or requantize the result take the new type; for all others the
    result is converted back, by `uniform_quantize` or `convert`. If several functions use the name, put the
    function in front, `@pool/%0`, or pass `function`. Raises `Malformed` for an unknown name, and `Violation`
    if the type does not fit.
    """
    refuse_other(module)
    func, op = _find(module, name, function)
    element = _as_storage(op, element_type_of(type))
    if len(op.results) > 1:
        raise Unsupported(
            f"{op.name} reduces {len(op.results)} operands", "supported: one operand", op.location
        )
    changed = replace(func, body=_inside(func, func.body, op, element, module.dialect))
    result = replace(module, functions={**module.functions, func.name: changed})
    refuse_violations(result, "mlir")
    return result


def _find(module: Module, name: str | int | Op, function: str | None) -> tuple[Func, Op]:
    """Return the function and its operation; the number of a run (`%4#2`) makes no difference."""
    where = None if function is None else function_named(module, function).name
    known = [x for x in operations(module) if _accumulates(x.op) and where in (None, x.function)]
    found = find(name, known, "reduction")
    return module[found.function], found.op


def _accumulates(op: Op) -> bool:
    return facts(op).reduces or (facts(op).family == "contraction" and op.result.type.is_quantized)


def _accumulation_type(op: Op) -> Type:
    """Return the type in which an operation accumulates."""
    return (op.regions[-1].returns[0] if op.regions else op.result).type.element_type


def _as_storage(op: Op, element: Type) -> Type:
    """Return the type; in place of an integer, the quantized type that there is with it as storage."""
    old = _accumulation_type(op)
    if not isinstance(old, QuantizedType) or not isinstance(element, ElementType):
        return element
    least, most = storage_range(element)
    return replace(old, storage_type=element, storage_min=least, storage_max=most, spelling=element.name)


def _inside(func: Func, region: Region, op: Op, element: Type, dialect: str) -> Region:
    """Return a region with the reduction retyped, at whatever depth it stands."""
    if any(other is op for other in region.ops):
        return Region(region.arguments, tuple(_retype(func, region.ops, op, element, dialect)))
    ops = (
        replace(other, regions=tuple(_inside(func, inner, op, element, dialect) for inner in other.regions))
        if other.regions
        else other
        for other in region.ops
    )
    return Region(region.arguments, tuple(ops))


def _retype(func: Func, ops: Sequence[Op], op: Op, element: Type, dialect: str) -> Iterator[Op]:
    """Yield the operations of the region that contains the reduction."""
    old = _accumulation_type(op)
    wide: dict[str, Value] = {}  # of another type now
    back: dict[str, Value] = {}  # and converted back
    for other in ops:
        if other is op:
            regions = (*op.regions[:-1], _body(op, old, element)) if op.regions else ()
            other = _without_said_type(op)
            if op.result.type.element_type == old:
                wide[op.result.name] = _of(op.result, element)
                yield replace(other, results=(wide[op.result.name],), regions=regions)
            elif dialect == "rfc":  # it is converted to the type that it has (E7)
                yield replace(other, regions=regions)
            else:  # by an operation of its own, as the type that it has may not be the body's (E14)
                sum = Value(_fresh(func, "accumulated"), TensorType(op.result.type.shape, element))
                yield replace(other, results=(sum,), regions=regions)
                yield Op(_conversion(op.result), (sum,), (op.result,), location=op.location)
            continue
        used = [value for value in _uses(other) if value.name in wide]
        if used and facts(other).moves and len(other.operands) == 1:
            result = _of(other.result, element)
            wide[result.name] = result
            yield replace(other, operands=(wide[used[0].name],), results=(result,))
        elif used and facts(other).takes_any:
            yield replace(other, operands=tuple(wide.get(x.name, x) for x in other.operands))
        else:
            for value in used:
                if value.name not in back:
                    back[value.name] = Value(_fresh(func, f"back{len(back)}"), value.type)
                    yield Op(
                        _conversion(value), (wide[value.name],), (back[value.name],), location=op.location
                    )
            yield _rename(other, back)


def _without_said_type(op: Op) -> Op:
    """Return the operation without the RFC's attribute `accumulation_type`, which would no longer be true."""
    kept = {name: x for name, x in op.attributes.items() if name != "accumulation_type"}
    return replace(op, attributes=kept)


def _of(value: Value, element: Type) -> Value:
    return Value(value.name, TensorType(value.type.shape, element))


def _body(op: Op, old: Type, element: Type) -> Region:
    """Return the body with the new type for every value of the old one."""

    def change_type(value: Value) -> Value:
        return _of(value, element) if value.type.element_type == old else value

    body, ops = op.regions[-1], []
    for inner in body.ops:
        if inner.regions or (not inner.operands and change_type(inner.result) != inner.result):
            verdict = f"not supported: {inner.name} in the body of {op.results[0].name}"
            raise Unsupported(verdict, "retype it by hand", op.location)
        operands, results = (tuple(map(change_type, values)) for values in (inner.operands, inner.results))
        ops.append(replace(inner, operands=operands, results=results))
    return Region(tuple(map(change_type, body.arguments)), tuple(ops))


def _uses(op: Op) -> list[Value]:
    """Return the operands of an operation and of all operations in its regions, each once."""
    inner = (value for region in op.regions for each in nested_ops(region) for value in each.operands)
    return list(dict.fromkeys((*op.operands, *inner)))


def _rename(op: Op, names: Values) -> Op:
    operands = tuple(names.get(value.name, value) for value in op.operands)
    regions = tuple(
        Region(region.arguments, tuple(_rename(inner, names) for inner in region.ops))
        for region in op.regions
    )
    return replace(op, operands=operands, regions=regions)


def _conversion(value: Value) -> str:
    quantized = isinstance(value.type.element_type, QuantizedType)
    return "stablehlo.uniform_quantize" if quantized else "stablehlo.convert"


def _fresh(func: Func, label: str) -> str:
    """Return a name that the function does not use."""
    used = {value.name for op in nested_ops(func.body) for value in (*op.operands, *op.results)}
    fresh = f"%{label}"
    while fresh in used:
        fresh += "_"
    return fresh
