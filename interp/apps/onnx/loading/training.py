"""Operators of ai.onnx.preview.training: one step of an optimizer, for any number of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import Builder
from spec.ir import Value

Step = Callable[[Node, Value, Value, Sequence[Value]], Sequence[Value]]


def optimize(step: Step, states: int, n: Node) -> Sequence[Value]:
    """Return the new tensors, followed by each of their new states.

    The inputs are a rate, how many steps there were, the tensors, their gradients, and each of their states.
    """
    rate, count, *values = n.values()
    tensors, rest = divmod(len(values), states + 2)
    if rest or not tensors:
        raise n.malformed_error(f"{len(values)} tensors, gradients and states, expected {states + 2} of each")
    groups = [values[k::tensors] for k in range(tensors)]
    results = [step(n, rate, count, group) for group in groups]
    return [result[k] for k in range(states + 1) for result in results]


def add_regularization(n: Node, x: Value, gradient: Value) -> Value:
    """Return norm_coefficient * x + gradient."""
    return add(n.b, scale(n.b, x, n.attribute("norm_coefficient", 0.0)), gradient)


def scale(b: Builder, x: Value, factor: float) -> Value:
    return b.binary_scalar("multiply", x, factor)


def add(b: Builder, x: Value, y: Value) -> Value:
    return b.binary("add", x, y)


def like(b: Builder, scalar: Value, x: Value) -> Value:
    """Return a rate or a count as a scalar of x's element type."""
    return b.convert(b.reshape(scalar, ()), x.type.tensor_element_type)


def momentum(n: Node, rate: Value, count: Value, group: Sequence[Value]) -> Sequence[Value]:
    """Return x - rate * v, v: the new momentum alpha * v + beta * gradient; beta is 1 in the first step."""
    b, (x, gradient, v) = n.b, group
    mode = n.attribute("mode", "standard")
    if mode not in ("standard", "nesterov"):
        raise n.malformed_error(f"mode {mode!r}", "expected standard or nesterov")
    gradient = add_regularization(n, x, gradient)
    one = b.full(1, x.type.tensor_element_type)
    beta = b.full(n.attribute("beta"), x.type.tensor_element_type)
    steps = b.reshape(count, ())
    beta = b.select(b.compare("GT", steps, b.full(0, steps.type)), beta, one)
    alpha = n.attribute("alpha")
    v = add(b, scale(b, v, alpha), b.binary("multiply", beta, gradient))
    direction = v if mode == "standard" else add(b, gradient, scale(b, v, alpha))
    return b.binary("subtract", x, b.binary("multiply", like(b, rate, x), direction)), v


def adagrad(n: Node, rate: Value, count: Value, group: Sequence[Value]) -> Sequence[Value]:
    """Return x - rate / (1 + count * decay) * gradient / (sqrt(h) + epsilon), h: sums of squares."""
    b, (x, gradient, h) = n.b, group
    decay = scale(b, like(b, count, x), n.attribute("decay_factor", 0.0))
    rate = b.binary("divide", like(b, rate, x), b.binary_scalar("add", decay, 1))
    gradient = add_regularization(n, x, gradient)
    h = add(b, h, b.binary("multiply", gradient, gradient))
    deviation = b.binary_scalar("add", b.unary("sqrt", h), n.attribute("epsilon", 1e-6))
    step = b.binary("divide", b.binary("multiply", rate, gradient), deviation)
    return b.binary("subtract", x, step), h


def adam(n: Node, rate: Value, count: Value, group: Sequence[Value]) -> Sequence[Value]:
    """Return x moved by averages of gradients over the root of those of their squares, and both averages."""
    b, (x, gradient, v, h) = n.b, group
    alpha, beta = n.attribute("alpha", 0.9), n.attribute("beta", 0.999)
    gradient = add_regularization(n, x, gradient)
    v = add(b, scale(b, v, alpha), scale(b, gradient, 1 - alpha))
    h = add(b, scale(b, h, beta), scale(b, b.binary("multiply", gradient, gradient), 1 - beta))
    deviation = b.binary_scalar("add", b.unary("sqrt", h), n.attribute("epsilon", 1e-6))
    rate, steps = like(b, rate, x), like(b, count, x)
    one = b.full(1, rate.type)
    left, right = (
        b.binary("subtract", one, b.binary("power", b.full(each, rate.type), steps)) for each in (alpha, beta)
    )
    corrected = b.binary("divide", b.binary("multiply", rate, b.unary("sqrt", right)), left)
    rate = b.select(b.compare("GT", steps, b.full(0, steps.type)), corrected, rate)
    out = b.binary("subtract", x, b.binary("multiply", rate, b.binary("divide", v, deviation)))
    return scale(b, out, 1 - n.attribute("norm_coefficient_post", 0.0)), v, h


TABLE: dict[str, Build] = {
    "Adagrad": partial(optimize, adagrad, 1),
    "Adam": partial(optimize, adam, 2),
    "Momentum": partial(optimize, momentum, 1),
}
