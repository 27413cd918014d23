"""The walk that writes a function as an ONNX model, and its contractions with what they take in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from onnx import checker, shape_inference

from interp.apps.onnx.writing.graph import Writer, is_stored, plain
from interp.apps.onnx.writing.rules import RULES
from interp.apps.runtimes import onnx_runtime
from interp.apps.runtimes.onnx_graph import OnnxGraph
from interp.apps.runtimes.translation import NotExpressible, Operand, need
from interp.backends.dtypes import elements
from interp.recorder.layers import Path, path_of
from interp.rewrite.inlining import inline_calls
from spec.errors import Unsupported
from spec.ir import Func, Module, Op, Value, nested_ops
from spec.quantized import QuantizedType
from spec.types import TensorType

# Contractions and what follows them: DequantizeLinear of the operands, Conv, Gemm or MatMul,
# QuantizeLinear.
#
# The accumulator and the bias of a quantized contraction are values of 32 bits in the program. In the model
# they are in the operator's float sum, which is where tools look for them.

QUANTIZE = "stablehlo.uniform_quantize"
FEATURE: dict[str, Callable[[Op], int]] = {
    "stablehlo.convolution": lambda op: int(op["output_feature_dimension"]),
    "stablehlo.dot_general": lambda op: op.result.type.rank - 1,
}


def only_users(func: Func) -> dict[str, Op]:
    """Return the operation that uses a value, by the value's name, where it is the only one."""
    users: dict[str, list[Op]] = {}
    for op in nested_ops(func.body):
        for value in op.operands:
            users.setdefault(value.name, []).append(op)
    return {name: ops[0] for name, ops in users.items() if len(ops) == 1}


@dataclass(frozen=True)
class Tail:
    """The operations after a contraction that its operator takes in: a bias, and a quantization."""

    bias: Operand | None
    ops: tuple[Op, ...]  # whose results are the operator's
    type: TensorType  # of the last one

    @property
    def quantizes(self) -> bool:
        """Return whether the operator's layout and the result's have the same parameters."""
        return is_stored(self.type) and self.type.quantized_element_type.is_per_tensor


def tail(op: Op, users: Mapping[str, Op], held: Mapping[str, Operand]) -> Tail:
    """Return what follows a contraction whose result is not rounded, and is used once."""
    bias: Operand | None = None
    ops: list[Op] = []
    last = op
    if not is_stored(op.result.type) and (user := users.get(op.result.name)):
        bias = bias_of(user, op, held)
        ops, last = ([user], user) if bias else ([], op)
    user = users.get(last.result.name)
    if user and user.name == QUANTIZE and not is_stored(last.result.type) and is_stored(user.result.type):
        ops, last = [*ops, user], user
    return Tail(bias, tuple(ops), last.result.type)


def bias_of(user: Op, op: Op, held: Mapping[str, Operand]) -> Operand | None:
    """Return the other operand of an addition as one number for each feature, if it is constant."""
    if user.name != "stablehlo.add" or user.result.type != op.result.type:
        return None
    (name,) = {v.name for v in user.operands} - {op.result.name} or {""}
    x = held.get(name)
    if x is None or x.value is None:
        return None
    feature = FEATURE[op.name](op)
    rest = tuple(k for k in range(x.type.rank) if k != feature)
    first = x.value[tuple(slice(None) if k == feature else slice(0, 1) for k in range(x.type.rank))]
    if not first.size or not np.array_equal(np.broadcast_to(first, x.type.shape), x.value):
        return None
    element = x.type.element_type
    if isinstance(element, QuantizedType) and not element.is_per_tensor:
        if element.quantization_dimension != feature:
            return None
        element = replace(element, quantization_dimension=0)
    value = first.reshape(-1)
    return Operand("", TensorType((x.type.shape[feature],) if rest else value.shape, element), value)


def contraction(graph: Writer, op: Op, operands: Sequence[Operand], after: Tail) -> Operand:
    """Write a contraction and its tail; return the result of the tail's last operation."""
    types = {plain(v.type).element_type for v in (*op.operands, *op.results)}
    need(len(types) == 1, "operands and a result of several types")
    if op.name == "stablehlo.convolution":
        rule = onnx_runtime.convolution
    else:
        rule = onnx_runtime.dot_general
        if not onnx_runtime.is_matmul(op):  # reshaped, which quantized dimensions do not survive
            operands = [Operand(graph.dequantize(x), plain(x.type)) for x in operands]

    def write(
        _: OnnxGraph, op: Op, lhs: Operand, rhs: Operand, operator: str, options: dict[str, Any]
    ) -> str:
        inputs = [graph.dequantize(lhs), graph.dequantize(rhs)]
        handle = write_with_bias(graph, op, inputs, after.bias, operator, options)
        return str(graph.quantize(handle, after.type).handle) if after.quantizes else handle

    found = rule(graph, op, operands, write)
    if after.quantizes:
        return Operand(found.handle, after.type)
    return graph.quantize(found.handle, after.type)


def write_with_bias(
    graph: Writer, op: Op, inputs: list[str], bias: Operand | None, operator: str, options: dict[str, Any]
) -> str:
    """Write the operator with the bias as its third input, or an addition where MatMul has none."""
    if bias is None:
        return graph.add(operator, *inputs, **options)
    held = graph.dequantize(graph.constant(bias.type, bias.constant_elements("a bias")))
    if operator == "Conv":
        return graph.add("Conv", *inputs, held, **options)
    if op.result.type.rank == 2 and onnx_runtime.is_matmul(op):
        return graph.add("Gemm", *inputs, held)
    need(onnx_runtime.is_matmul(op), "a bias after a product of rank 3")
    return graph.add("Add", graph.add("MatMul", *inputs), held)


# Convolutions of integers: ConvInteger, where the operands are 8-bit numbers less a zero point


ADVICE = "ConvInteger has 8-bit operands less a constant"


def is_of_integers(op: Op) -> bool:
    return (
        not any(v.type.is_quantized for v in (*op.operands, *op.results))
        and op.result.type.storage_type.is_integer
    )


def integer_conv(graph: Writer, op: Op, made: Mapping[str, Op], held: Mapping[str, Operand]) -> Operand:
    """Write ConvInteger of what was converted to i32, which gives the same integers modulo 2**32."""
    need(op.result.type.storage_type.name == "i32", ADVICE)
    pairs = [source_and_zero(v, made, held) for v in op.operands]
    points = [graph.hold(np.array(zero, x.type.storage_type.numpy)) for x, zero in pairs]
    sources = [x for x, _ in pairs]

    def write(
        _: OnnxGraph, op: Op, lhs: Operand, rhs: Operand, operator: str, options: dict[str, Any]
    ) -> str:
        return graph.add(f"{operator}Integer", lhs.handle, rhs.handle, *points, **options)

    return onnx_runtime.convolution(graph, op, sources, write)


def source_and_zero(value: Value, made: Mapping[str, Op], held: Mapping[str, Operand]) -> tuple[Operand, int]:
    """Return the 8-bit numbers that a value is converted from, and the zero point that it subtracts."""
    op, zero = made.get(value.name), 0
    if op is not None and op.name == "stablehlo.subtract":
        numbers = np.unique(held[op.operands[1].name].constant_elements("a zero point"))
        need(numbers.size == 1, ADVICE)
        zero, op = int(numbers[0]), made.get(op.operands[0].name)
    if op is None or op.name != "stablehlo.convert":
        raise NotExpressible(ADVICE)
    x = held[op.operands[0].name]
    type = x.type.storage_type
    need(not x.type.is_quantized and type.is_integer and type.bits == 8, ADVICE)
    need(type.min_value <= zero <= type.max_value, ADVICE)
    return x, zero


CONSTANT = "stablehlo.constant"
NAMED = 8  # values that a line of an error names


def model_of(module: Module, exact: bool) -> Any:
    """Return `@main` as an ONNX model; raise `Unsupported` that names all that has no counterpart."""
    program = inline_calls(module, module.main)
    main = program.main
    walk = Walk(Writer(main, exact), lambda op: path_of(program, op))
    walk.arguments(main.inputs)
    walk.ops([op for op in main.body.ops if op.name == CONSTANT])  # which operators before them take in
    walk.ops(main.body.ops[:-1])
    results = walk.results(main.body.returns)
    refuse(walk.refused)
    model = walk.graph.finish(results)
    try:
        checker.check_model(model, full_check=True)
    except (checker.ValidationError, shape_inference.InferenceError) as error:
        raise Unsupported("ONNX has an operator, but not for these types", str(error)) from None
    return model


class Walk:
    """The operands that are written so far, by name, and what has no counterpart; `path` is a layer's."""

    def __init__(self, graph: Writer, path: Callable[[Op], Path]) -> None:
        self.graph, self.path = graph, path
        self.users = only_users(graph.func)
        self.makers = {v.name: op for op in graph.func.body.ops for v in op.results}
        self.held: dict[str, Operand] = {}
        self.refused: list[tuple[str, str, str]] = []  # operation, reason, value

    def arguments(self, values: Sequence[Value]) -> None:
        for value in values:
            try:
                self.held[value.name] = self.graph.parameter(value.name.lstrip("%"), value.type)
            except NotExpressible as reason:
                self.refuse("argument", str(reason), value)

    def ops(self, ops: Sequence[Op]) -> None:
        for op in ops:
            if any(v.name not in self.held for v in op.results):
                self.op(op)

    def op(self, op: Op) -> None:
        """Write one operation, and those that its operator takes in."""
        try:
            self.write(op)
        except NotExpressible as reason:
            for value in op.results:
                self.refuse(op.name.removeprefix("stablehlo."), str(reason), value)

    def write(self, op: Op) -> None:
        name = op.name.removeprefix("stablehlo.")
        need(len(op.results) == 1, "no operator for it")
        self.graph.path = self.path(op)
        if op.name == CONSTANT:
            self.held[op.result.name] = self.graph.constant(op.result.type, elements(op["value"]))
            return
        need(name in RULES or op.name in FEATURE, "no operator for it")
        operands = [self.held[v.name] for v in op.operands]
        made: tuple[Op, ...] = (op,)
        if name == "convolution" and is_of_integers(op):
            found = integer_conv(self.graph, op, self.makers, self.held)
        elif op.name in FEATURE:
            after = tail(op, self.users, self.held)
            found = contraction(self.graph, op, operands, after)
            made = (op, *after.ops)
        else:
            found = RULES[name](self.graph, op, operands)
        found = self.graph.rename_output(found, made[-1].result.name.lstrip("%"))
        self.held |= {each.result.name: found for each in made}

    def results(self, values: Sequence[Value]) -> list[Operand]:
        """Return the results of the function; quantized ones as stored numbers."""
        for value in values:
            x = self.held[value.name]
            if value.type.is_quantized and not x.type.is_quantized:
                try:
                    self.held[value.name] = self.graph.store(x, value.type)
                except NotExpressible as reason:
                    self.refuse("result", str(reason), value)
        return [self.held[v.name] for v in values]

    def refuse(self, operation: str, reason: str, value: Value) -> None:
        self.refused.append((operation, reason, value.title))
        self.held[value.name] = Operand(value.name, value.type)


def refuse(refused: Sequence[tuple[str, str, str]]) -> None:
    """Raise `Unsupported` that names every operation without a counterpart."""
    if not refused:
        return
    groups = Counter((operation, reason) for operation, reason, _ in refused)
    lines = []
    for (operation, reason), count in groups.items():
        values = [title for *group, title in refused if tuple(group) == (operation, reason)]
        more = f" and {count - NAMED} more" if count > NAMED else ""
        lines.append(f"{count} {operation}: {reason}: {', '.join(values[:NAMED])}{more}")
    names = ", ".join(sorted({operation for operation, _ in groups}))
    number = f"{len(refused)} operation{'s' * (len(refused) > 1)}"
    raise Unsupported(f"{number} without a counterpart in ONNX: {names}", "\n".join(lines))
