"""Operators that compute each element alone."""

from __future__ import annotations

from functools import partial, reduce

import numpy as np

from interp.apps.onnx.loading.conversions import convert
from interp.apps.onnx.loading.finite import is_bounded
from interp.apps.onnx.loading.node import Build, Node
from interp.backends import max_finite
from interp.loading.build import F64, expand_chlo
from spec.ir import Value


def unary(name: str, n: Node) -> Value:
    return n.b.unary(name, n.value(0))


def magnitude(n: Node) -> Value:
    x = n.value(0)
    return x if x.type.tensor_element_type.kind == "unsigned" else n.b.unary("abs", x)


def sign(n: Node) -> Value:
    x = n.value(0)
    if x.type.tensor_element_type.kind != "unsigned":
        return n.b.unary("sign", x)
    return n.b.binary_scalar("minimum", x, 1)


def through_chlo(name: str, n: Node) -> Value:
    return expand_chlo(n.b, name, n.value(0))


def pair(n: Node) -> tuple[Value, Value]:
    """Return both operands; before version 7, an attribute places the second one."""
    x, y = n.value(0), n.value(1)
    if n.version < 7 and n.attribute("broadcast"):
        start = n.place(n.attribute("axis", x.type.rank - y.type.rank), max(x.type.rank, 1))
        y = n.b.place(y, x.type.shape, range(start, start + y.type.rank))
    return x, y


def binary(name: str, n: Node) -> Value:
    return n.b.binary(name, *pair(n))


def compare(direction: str, n: Node) -> Value:
    return n.b.compare(direction, *pair(n))


def variadic(name: str, n: Node) -> Value:
    return reduce(partial(n.b.binary, name), n.values())


def mean(n: Node) -> Value:
    return n.b.binary_scalar("divide", variadic("add", n), len(n.inputs))


def power(n: Node) -> Value:
    """Return x ** y in the type of x; a float exponent of integers is computed in its own type."""
    x, y = n.value(0), n.value(1)
    element = x.type.tensor_element_type
    if element.is_integer and y.type.tensor_element_type.kind == "float":
        return n.b.convert(n.b.binary("power", n.b.convert(x, y.type.tensor_element_type), y), element)
    return n.b.binary("power", x, n.b.convert(y, element))


def remainder(n: Node) -> Value:
    """Return the remainder, with the sign of the divisor, or of the dividend with `fmod`."""
    x, y = n.b.broadcast_all([n.value(0), n.value(1)])
    left = n.b.binary("remainder", x, y)
    if n.attribute("fmod", 0) or x.type.tensor_element_type.kind == "unsigned":
        return left
    zero = n.b.full(0, x.type)
    differs = n.b.compare("NE", n.b.compare("LT", left, zero), n.b.compare("LT", y, zero))
    moves = n.b.binary("and", differs, n.b.compare("NE", left, zero))
    return n.b.select(moves, n.b.binary("add", left, y), left)


def shift(n: Node) -> Value:
    """Return x shifted; to the right, the sign comes after."""
    x, signed = n.value(0), n.type(0).tensor_element_type.kind == "signed"
    right = "shift_right_arithmetic" if signed else "shift_right_logical"
    return n.b.binary("shift_left" if n.attribute("direction") == "LEFT" else right, x, n.value(1))


def relu(n: Node) -> Value:
    return n.b.binary_scalar("maximum", n.value(0), 0)


def leaky_relu(n: Node) -> Value:
    x = n.value(0)
    small = n.b.binary_scalar("multiply", x, n.attribute("alpha", 0.01))
    return n.b.select(n.b.compare("LT", x, n.b.full(0, x.type)), small, x)


def prelu(n: Node) -> Value:
    x, slope = n.value(0), n.value(1)
    negative = n.b.compare("LT", x, n.b.full(0, x.type))
    return n.b.select(negative, n.b.binary("multiply", x, slope), x)


def clip(n: Node) -> Value:
    """Return x between two bounds; an absent one is the largest number, which infinity exceeds."""
    x, element = n.value(0), n.type(0).tensor_element_type
    for name, k, operation, sign in (("min", 1, "maximum", -1), ("max", 2, "minimum", 1)):
        if name in n.attributes:
            x = n.b.binary_scalar(operation, x, n.attribute(name))
        elif n.has(k):
            x = n.b.binary(operation, x, n.value(k))
        elif element.kind == "float" and not is_bounded(n.b, x):
            x = n.b.binary_scalar(operation, x, sign * max_finite(element))
    return x


def elu(n: Node) -> Value:
    """Return x, and alpha (exp(x) - 1) where x is negative."""
    x = n.value(0)
    small = n.b.binary_scalar("multiply", n.b.unary("exponential_minus_one", x), n.attribute("alpha", 1.0))
    return n.b.select(n.b.compare("LT", x, n.b.full(0, x.type)), small, x)


def selu(n: Node) -> Value:
    """Return gamma x, and gamma (alpha exp(x) - alpha) where x is negative."""
    x = n.value(0)
    alpha = n.attribute("alpha", 1.67326319217681884765625)
    power = n.b.binary_scalar("multiply", n.b.unary("exponential", x), alpha)
    small = n.b.binary_scalar("subtract", power, alpha)
    out = n.b.select(n.b.compare("LT", x, n.b.full(0, x.type)), small, x)
    return n.b.binary_scalar("multiply", out, n.attribute("gamma", 1.05070102214813232421875))


def softsign(n: Node) -> Value:
    x = n.value(0)
    return n.b.binary("divide", x, n.b.binary_scalar("add", n.b.unary("abs", x), 1))


def thresholded_relu(n: Node) -> Value:
    x = n.value(0)
    is_above = n.b.compare("GT", x, n.b.full(n.attribute("alpha", 1.0), x.type))
    return n.b.select(is_above, x, n.b.full(0, x.type))


def softplus(n: Node) -> Value:
    """Return log(exp(x) + 1), as max(x, 0) + log(exp(-|x|) + 1), which does not overflow."""
    x = n.value(0)
    power = n.b.unary("exponential", n.b.unary("negate", n.b.unary("abs", x)))
    return n.b.binary("add", n.b.binary_scalar("maximum", x, 0), n.b.unary("log_plus_one", power))


def shrink(n: Node) -> Value:
    """Return x moved by `bias` towards 0 beyond `lambd`, and 0 within; integers are computed in f64."""
    x, element = n.value(0), n.type(0).tensor_element_type
    x = n.b.convert(x, F64) if element.is_integer else x
    bound, bias = n.attribute("lambd", 0.5), n.attribute("bias", 0.0)
    low, high = (n.b.full(end, x.type) for end in (-bound, bound))
    out = n.b.select(n.b.compare("GT", x, high), n.b.binary_scalar("subtract", x, bias), n.b.full(0, x.type))
    out = n.b.select(n.b.compare("LT", x, low), n.b.binary_scalar("add", x, bias), out)
    return convert(n, out, element)


def hard_sigmoid(n: Node) -> Value:
    x = n.b.binary_scalar("multiply", n.value(0), n.attribute("alpha", 0.2))
    return n.b.clamp(0, n.b.binary_scalar("add", x, n.attribute("beta", 0.5)), 1)


def reciprocal(n: Node) -> Value:
    x = n.value(0)
    return n.b.binary("divide", n.b.full(1, x.type), x)


def is_nan(n: Node) -> Value:
    x = n.value(0)
    return n.b.compare("NE", x, x)


def is_infinite(n: Node) -> Value:
    x = n.value(0)
    wanted = [n.attribute("detect_positive", 1), n.attribute("detect_negative", 1)]
    ends = [n.b.compare("EQ", x, n.b.full(end, x.type)) for end in (np.inf, -np.inf)]
    found = [end for end, is_wanted in zip(ends, wanted, strict=True) if is_wanted]
    return reduce(partial(n.b.binary, "or"), found) if found else n.b.compare("LT", x, x)


def where(n: Node) -> Value:
    return n.b.select(n.value(0), n.value(1), n.value(2))


UNARY = {
    "BitwiseNot": "not",
    "Ceil": "ceil",
    "Cos": "cosine",
    "Exp": "exponential",
    "Floor": "floor",
    "Log": "log",
    "Neg": "negate",
    "Not": "not",
    "Round": "round_nearest_even",
    "Sigmoid": "logistic",
    "Sin": "sine",
    "Sqrt": "sqrt",
    "Tan": "tan",
    "Tanh": "tanh",
}
CHLO = {
    "Acos": "acos",
    "Acosh": "acosh",
    "Asin": "asin",
    "Asinh": "asinh",
    "Atan": "atan",
    "Atanh": "atanh",
    "Cosh": "cosh",
    "Erf": "erf",
    "Sinh": "sinh",
}
BINARY = {
    "Add": "add",
    "And": "and",
    "BitwiseAnd": "and",
    "BitwiseOr": "or",
    "BitwiseXor": "xor",
    "Div": "divide",
    "Mul": "multiply",
    "Or": "or",
    "Sub": "subtract",
    "Xor": "xor",
}
COMPARISONS = {"Equal": "EQ", "Greater": "GT", "GreaterOrEqual": "GE", "Less": "LT", "LessOrEqual": "LE"}
VARIADIC = {"Max": "maximum", "Min": "minimum", "Sum": "add"}
TABLE: dict[str, Build] = {
    **{op: partial(unary, name) for op, name in UNARY.items()},
    **{op: partial(through_chlo, name) for op, name in CHLO.items()},
    **{op: partial(binary, name) for op, name in BINARY.items()},
    **{op: partial(compare, name) for op, name in COMPARISONS.items()},
    **{op: partial(variadic, name) for op, name in VARIADIC.items()},
    "Abs": magnitude,
    "BitShift": shift,
    "Clip": clip,
    "Elu": elu,
    "HardSigmoid": hard_sigmoid,
    "IsInf": is_infinite,
    "IsNaN": is_nan,
    "LeakyRelu": leaky_relu,
    "Mean": mean,
    "Mod": remainder,
    "PRelu": prelu,
    "Pow": power,
    "Reciprocal": reciprocal,
    "Relu": relu,
    "Selu": selu,
    "Shrink": shrink,
    "Sign": sign,
    "Softplus": softplus,
    "Softsign": softsign,
    "ThresholdedRelu": thresholded_relu,
    "Where": where,
}
