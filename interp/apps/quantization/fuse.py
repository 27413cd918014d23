"""`fuse` wraps operations that a target has kernels for in `quant.region`; `unfuse` undoes this.

A region's operands are the values that its kernel reads; constants that only bound, begin or divide stand in
its body. A region gives its result under the name that it had.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from interp.apps.quantization.folding import without_unused
from interp.apps.quantization.kernels import (
    CONTROL,
    REGION,
    RETURN,
    Names,
    is_float,
    rebuilt,
    region,
    renamed,
    specs_of,
    users,
)
from interp.apps.quantization.patterns import Match, block_of, matches
from interp.apps.quantization.prepare import prepare
from interp.apps.quantization.targets import Target
from spec.ir import Module, Op, Region, Value
from spec.types import QuantizedType, TensorType


def fuse(module: Module, target: Target) -> Module:
    """Return the program with every operation that the target has a kernel for in a region.

    A kernel of several operations is preferred to one of fewer: `generic.dot_general_add_clamp` is a
    contraction, a bias, a clamp. Statistics between them stay in the region, where nothing reads them.
    """
    prepared = prepare(module, target)
    fuser = _Fuser(target, Names.of(prepared))
    functions = {
        name: replace(function, body=fuser.block(function.body, {}))
        for name, function in prepared.functions.items()
    }
    return without_unused(replace(prepared, functions=functions))


@dataclass
class _Fuser:
    target: Target
    names: Names

    def block(self, body: Region, outer: Mapping[str, Op]) -> Region:
        """Return a block whose operations, those in control flow included, are fused."""
        block = block_of(body, users(body), outer)
        taken: dict[int, Match] = {}
        wrapped: dict[int, Match] = {}
        for op in body.ops:
            if id(op) in taken:
                continue
            for match in matches(op, block, self.target):
                if not any(id(each) in taken for each in match.ops):
                    taken |= {id(each): match for each in match.ops}
                    wrapped[id(match.last)] = match
                    break
        ops: list[Op] = []
        for op in body.ops:
            if id(op) in wrapped:
                ops.append(self.wrapped(wrapped[id(op)]))
            elif id(op) not in taken:
                inner = tuple(self.block(r, block.definitions) for r in op.regions)
                ops.append(replace(op, regions=inner) if op.name in CONTROL else op)
        return replace(body, ops=tuple(ops))

    def wrapped(self, match: Match) -> Op:
        """Return a region of the operations of a match; each operand from outside is an input of its own."""
        result, absorbed = match.last.result, _once(match.absorbed)
        own = {v.name for op in (*match.ops, *absorbed) for v in op.results}
        fresh = {name: self.names.fresh(f"{name}.float") for name in own}
        inputs: list[tuple[Value, Value]] = []

        def inside(value: Value) -> Value:
            if value.name in own:
                return replace(value, name=fresh[value.name])
            argument = replace(value, name=self.names.fresh(f"{result.name}.{len(inputs)}"))
            inputs.append((value, argument))
            return argument

        def copied(op: Op) -> Op:
            return replace(
                op, operands=tuple(map(inside, op.operands)), results=tuple(map(inside, op.results))
            )

        ops, first = [copied(op) for op in match.ops], [copied(op) for op in absorbed]
        end = Op(RETURN, (inside(result),), ())
        body = Region(tuple(x for _, x in inputs), (*first, *ops, end))
        return region(match.name, [v for v, _ in inputs], (result,), body, match.last.location)


def _once(ops: Sequence[Op]) -> list[Op]:
    return list({id(op): op for op in ops}.values())


def unfuse(module: Module) -> Module:
    """Return the program with the operations of each region in its place.

    A port with a uniform type becomes `uniform_quantize` and `uniform_dequantize`: the simulation of the
    quantized program in floats, which JAX and every other implementation of StableHLO run.
    """
    names = Names.of(module)
    return rebuilt(module, lambda op: _restored(op, names) if op.name == REGION else (op,))


def _restored(op: Op, names: Names) -> list[Op]:
    body, specs = op.regions[0], specs_of(op)
    ops: list[Op] = []
    known: dict[str, Value] = {}
    for argument, operand, spec in zip(body.arguments, op.operands, specs, strict=False):
        known[argument.name] = _cast(ops, names, operand, operand.name, spec)
    returned = body.returns
    outputs = dict(zip([v.name for v in returned], op.results, strict=True))
    after: list[Op] = []
    for result, spec in zip(op.results, specs[len(op.operands) :], strict=True):
        if isinstance(spec, QuantizedType):
            name = next(name for name, value in outputs.items() if value is result)
            outputs[name] = replace(result, name=names.fresh(f"{result.name}.float"))
            _cast(after, names, outputs[name], result.name, spec, result)
    for each in body.ops[:-1]:
        results = tuple(outputs.get(v.name, v) for v in each.results)
        ops.append(replace(renamed(each, known), results=results))
        known |= {v.name: x for v, x in zip(each.results, results, strict=True)}
    return ops + after


def _cast(
    ops: list[Op], names: Names, value: Value, name: str, spec: object, result: Value | None = None
) -> Value:
    """Append the casts of a port to `ops`, and return the value after them."""
    if not isinstance(spec, QuantizedType) or not is_float(value):
        return value
    stored = Value(names.fresh(f"{name}.q"), TensorType(value.type.shape, spec))
    back = result or replace(value, name=names.fresh(f"{name}.dq"))
    ops.append(Op("stablehlo.uniform_quantize", (value,), (stored,)))
    ops.append(Op("stablehlo.uniform_dequantize", (stored,), (back,)))
    return back
