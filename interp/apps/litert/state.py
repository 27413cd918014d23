"""Variables, and control flow: IF, WHILE and CALL with the graphs that they name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.apps.litert.node import Build, Node, Result
from spec.ir import Value


def call(n: Node) -> Sequence[Value]:
    return n.scope.region(n.option("subgraph"), n.values(), n.b)


def if_(n: Node) -> Sequence[Value]:
    regions, types = [], []
    for name in ("first", "second"):
        inner = n.b.inner()
        arguments = [n.value(k) for k in range(1, len(n.inputs))]
        results = n.scope.region(n.option(name), arguments, inner)
        types = [v.type for v in results]
        regions.append(inner.block([], results))
    predicate = n.b.reshape(n.value(0), ())
    return n.b.emit_all("if", [predicate], types, tuple(regions))


def while_(n: Node) -> Sequence[Value]:
    scope, state = n.scope, [n.value(k) for k in range(len(n.inputs))]
    test = lambda b, values: [b.reshape(v, ()) for v in scope.region(n.option("first"), values, b)]
    body = lambda b, values: scope.region(n.option("second"), values, b)
    return n.b.repeat(state, test, body)


def variable(n: Node) -> Result:
    """Return nothing of a handle: the name of its variable is what counts."""
    n.scope.declare(n.content.outputs[0], n.option("name"))
    return np.zeros((), np.int32)


def read_variable(n: Node) -> Value:
    return n.scope.state(n.content.inputs[0], n)


def assign_variable(n: Node) -> Sequence[Value]:
    n.scope.assign(n.content.inputs[0], n.value(1), n)
    return []


def initialize(n: Node) -> Sequence[Value]:
    """Return nothing of CALL_ONCE: its graph gives the variables that no argument gives."""
    return []


TABLE: dict[str, Build] = {
    "ASSIGN_VARIABLE": assign_variable,
    "CALL": call,
    "CALL_ONCE": initialize,
    "IF": if_,
    "READ_VARIABLE": read_variable,
    "VAR_HANDLE": variable,
    "WHILE": while_,
}
