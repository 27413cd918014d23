"""Translation of a program into a runtime's format, operation by operation.

A translation is faithful: an operation on quantized types becomes one operator of the runtime that takes
quantized tensors, if there is one, or else the composition that the runtime documents (dequantize, the
operator in floats, quantize). `Graph.how` says which.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from interp.backends.dtypes import elements
from spec.ir import Module, Op
from spec.types import QuantizedType, TensorType

# Answer of an implementation that the suite asks.

NOT_EXPRESSIBLE = "not expressible"  # in the runtime's own format; neither a success nor a failure


class Reply(NamedTuple):
    """Answer of an implementation, with a `message`.

    Its `kind` is "results", "refused", "unsupported" or `NOT_EXPRESSIBLE`. `how` names the operators that a
    runtime with a format of its own ran. `code` is the constraint by which it refused the program, if it
    names one as we do.
    """

    kind: str
    results: tuple[np.ndarray, ...] = ()
    message: str = ""
    how: tuple[str, ...] = ()
    code: str = ""


RUNNING = "running:"  # begins the line of the error output that names the operators which run


class NotExpressible(Exception):
    """The format of a runtime has no way to write a program; the text says what is in the way."""


class Refused(Exception):
    """The runtime refuses to load or to run a model in its own format; the text is its message."""


@dataclass(frozen=True)
class Operand:
    """A value of the program in a runtime's graph; `value` has its stored elements if they are known."""

    handle: Any
    type: TensorType
    value: np.ndarray | None = None

    @property
    def quantized_type(self) -> QuantizedType:
        """The element type, which must be quantized."""
        need(isinstance(self.type.element_type, QuantizedType), "mixes quantized and plain operands")
        return self.type.quantized_element_type

    def constant_elements(self, what: str) -> np.ndarray:
        """Return the stored elements, which the format wants in the model rather than as an operand."""
        if self.value is None:
            raise NotExpressible(f"{what} is computed, not given")
        return self.value


class Graph(Protocol):
    """A model in a runtime's format, while it is written; `how` names the operators that compute."""

    how: list[str]

    def argument(self, name: str, type: TensorType, x: np.ndarray) -> Operand: ...

    def constant(self, type: TensorType, x: np.ndarray) -> Operand: ...

    def run(self, results: Sequence[Operand]) -> list[np.ndarray]: ...


# Writes the operators of one operation of the program, and returns its result in the graph.
Rule = Callable[[Any, Op, Sequence[Operand]], Operand]


@dataclass(frozen=True)
class Runtime:
    """A runtime: its name, the versions of its packages, and what translates a program for it."""

    name: str
    versions: Callable[[], str]
    graph: Callable[[], Graph]
    rules: Mapping[str, Rule]


def answer(runtime: Runtime, module: Module, args: Sequence[np.ndarray]) -> Reply:
    """Translate a program, run it on the arguments and return the results."""
    announce(())  # or else a crash would be laid to the operators of the case before
    graph = runtime.graph()
    try:
        outputs = translate(module, args, graph, runtime.rules)
        announce(graph.how)
        results = graph.run(outputs)
    except NotExpressible as reason:
        return Reply(NOT_EXPRESSIBLE, message=str(reason))
    except Refused as error:
        return Reply("unsupported", message=str(error), how=tuple(dict.fromkeys(graph.how)))
    return Reply("results", tuple(results), how=tuple(dict.fromkeys(graph.how)))


def announce(how: Sequence[str]) -> None:
    """Print the operators that run now, so that a crash is known by them."""
    print(RUNNING + ", ".join(dict.fromkeys(how)), file=sys.stderr, flush=True)


def translate(
    module: Module, args: Sequence[np.ndarray], graph: Graph, rules: Mapping[str, Rule]
) -> list[Operand]:
    """Write every operation of `@main` into the graph, and return the results of the function."""
    main = module.main
    held = {
        v.name: graph.argument(f"arg{k}", v.type, x)
        for k, (v, x) in enumerate(zip(main.inputs, args, strict=True))
    }
    for op in main.body.ops[:-1]:
        held[op.results[0].name if op.results else ""] = write(graph, op, held, rules)
    results = [held[v.name] for v in main.body.returns]
    if not graph.how:
        raise NotExpressible("a program without an operation that computes")
    return results


def write(graph: Graph, op: Op, held: Mapping[str, Operand], rules: Mapping[str, Rule]) -> Operand:
    """Write one operation; the reason why it is not expressible names it."""
    name = op.name.removeprefix("stablehlo.")
    try:
        if op.name == "stablehlo.constant":
            return graph.constant(op.result.type, elements(op["value"]))
        need(name in rules, "no operator for it")
        need(len(op.results) == 1, "more than one result")
        return rules[name](graph, op, [held[v.name] for v in op.operands])
    except NotExpressible as reason:
        raise NotExpressible(f"{name}: {reason}") from None


def need(condition: bool, reason: str) -> None:
    """Raise `NotExpressible` with the reason unless the condition holds."""
    if not condition:
        raise NotExpressible(reason)


def family(rule: Callable[..., Operand], names: Mapping[str, Any]) -> dict[str, Rule]:
    """Return the rules of operations that differ in one argument of `rule`, the runtime's name for them."""
    return {name: bound(rule, theirs) for name, theirs in names.items()}


def bound(rule: Callable[..., Operand], theirs: Any) -> Rule:
    return lambda graph, op, operands: rule(graph, op, operands, theirs)
