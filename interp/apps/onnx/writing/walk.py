"""The walk that writes a function as an ONNX model; `write` is its public face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from onnx import checker, shape_inference

from interp.apps.onnx.writing.contractions import (
    FEATURE,
    contraction,
    integer_conv,
    is_of_integers,
    only_users,
    tail,
)
from interp.apps.onnx.writing.graph import Writer
from interp.apps.onnx.writing.rules import RULES
from interp.apps.runtimes.translation import NotExpressible, Operand, need
from interp.backends.dtypes import elements
from interp.rewrite.inlined import inline_calls
from spec.errors import Unsupported
from spec.ir import Module, Op, Value

CONSTANT = "stablehlo.constant"
NAMED = 8  # values that a line of an error names


def model_of(module: Module, exact: bool) -> Any:
    """Return `@main` as an ONNX model; raise `Unsupported` that names all that has no counterpart."""
    main = inline_calls(module, module.main).main
    walk = Walk(Writer(main, exact))
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
    """The operands that are written so far, by name, and what has no counterpart."""

    def __init__(self, graph: Writer) -> None:
        self.graph = graph
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
