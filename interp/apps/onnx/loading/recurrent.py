"""Recurrent networks, each one `while` over time: RNN, GRU, LSTM and LinearAttention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from interp.apps.onnx.loading.movement import reverse_up_to
from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import F32, I64, Folds
from spec.ir import Value
from spec.types import ElementType, TensorType


def wide(n: Node, k: int) -> Value:
    """Return an input; floats of 16 bits in f32, in which all of a recurrence is computed."""
    x = n.value(k)
    return n.b.convert(x, F32) if x.type.tensor_element_type.bits <= 16 else x


# Activations by name: the defaults of their parameters, and their function.


def _affine(b: Folds, x: Value, alpha: float, beta: float) -> Value:
    return b.binary_scalar("add", b.binary_scalar("multiply", x, alpha), beta)


def _leaky_relu(b: Folds, x: Value, alpha: float) -> Value:
    return b.select(b.compare("LT", x, b.full(0, x.type)), b.binary_scalar("multiply", x, alpha), x)


def _thresholded_relu(b: Folds, x: Value, alpha: float) -> Value:
    return b.select(b.compare("GE", x, b.full(alpha, x.type)), x, b.full(0, x.type))


def _scaled_tanh(b: Folds, x: Value, alpha: float, beta: float) -> Value:
    return b.binary_scalar("multiply", b.unary("tanh", b.binary_scalar("multiply", x, beta)), alpha)


def _hard_sigmoid(b: Folds, x: Value, alpha: float, beta: float) -> Value:
    return b.clamp(0, _affine(b, x, alpha, beta), 1)


def _elu(b: Folds, x: Value, alpha: float) -> Value:
    below = b.binary_scalar("multiply", b.unary("exponential_minus_one", x), alpha)
    return b.select(b.compare("LT", x, b.full(0, x.type)), below, x)


def _softsign(b: Folds, x: Value) -> Value:
    return b.binary("divide", x, b.binary_scalar("add", b.unary("abs", x), 1))


def _softplus(b: Folds, x: Value) -> Value:
    """Return log(1 + e**x) as max(x, 0) + log(1 + e**-|x|), which does not overflow."""
    rest = b.unary("log_plus_one", b.unary("exponential", b.unary("negate", b.unary("abs", x))))
    return b.binary("add", b.binary_scalar("maximum", x, 0), rest)


FUNCTIONS: dict[str, tuple[tuple[float, ...], Callable[..., Value]]] = {
    "affine": ((1.0, 0.0), _affine),
    "elu": ((1.0,), _elu),
    "hardsigmoid": ((0.2, 0.5), _hard_sigmoid),
    "leakyrelu": ((0.01,), _leaky_relu),
    "relu": ((), lambda b, x: b.binary_scalar("maximum", x, 0)),
    "scaledtanh": ((1.0, 1.0), _scaled_tanh),
    "sigmoid": ((), lambda b, x: b.unary("logistic", x)),
    "softplus": ((), _softplus),
    "softsign": ((), _softsign),
    "tanh": ((), lambda b, x: b.unary("tanh", x)),
    "thresholdedrelu": ((1.0,), _thresholded_relu),
}


@dataclass(frozen=True)
class Activation:
    """A function of `FUNCTIONS`, and its parameters."""

    name: str
    numbers: tuple[float, ...]

    def apply(self, b: Folds, x: Value) -> Value:
        return FUNCTIONS[self.name][1](b, x, *self.numbers)


def activations(n: Node, defaults: Sequence[str], directions: int) -> list[list[Activation]]:
    """Return the functions of each direction, which take their parameters from the attributes in turn."""
    names = n.attribute("activations", [*defaults] * directions)
    count = len(defaults)
    if len(names) != count * directions:
        raise n.malformed_error(f"{len(names)} activations", f"expected {count * directions}")
    parameters = [iter(n.attribute(f"activation_{name}", [])) for name in ("alpha", "beta")]
    functions = []
    for name in map(str.lower, names):
        if name not in FUNCTIONS:
            raise n.malformed_error(f"no activation {name!r}", f"known: {', '.join(FUNCTIONS)}")
        numbers = [next(given, usual) for given, usual in zip(parameters, FUNCTIONS[name][0], strict=False)]
        functions.append(Activation(name, tuple(numbers)))
    return [functions[k * count : (k + 1) * count] for k in range(directions)]


# The cells


@dataclass
class Cell:
    """A recurrent node: its operands with a direction in front, and the functions of its gates.

    Shapes, for D directions and G gates: x [D, time, batch, inputs]; w [D, G * hidden, inputs]; r [D, G *
    hidden, hidden]; biases [D, 1, G * hidden]; states [D, batch, hidden]. lengths: [batch], if given.
    """

    n: Node
    gates: int
    functions: Sequence[str]
    states: Sequence[int]  # inputs that are the initial states
    directions: int = field(init=False)
    hidden: int = field(init=False)

    def __post_init__(self) -> None:
        n, how = self.n, self.n.attribute("direction", "forward")
        if how not in ("forward", "reverse", "bidirectional"):
            raise n.malformed_error(f"direction {how!r}", "expected forward, reverse or bidirectional")
        self.directions = 2 if how == "bidirectional" else 1
        self.backwards = {"forward": [False], "reverse": [True]}.get(how, [False, True])
        self.is_batch_first = bool(n.attribute("layout", 0))
        self.w, self.r = wide(n, 1), wide(n, 2)
        self.x = n.b.transpose(wide(n, 0), (1, 0, 2)) if self.is_batch_first else wide(n, 0)
        self.time, self.batch, inputs = self.x.type.shape
        self.hidden = self.r.type.shape[-1]
        rows = self.gates * self.hidden
        wanted: dict[int, tuple[int, ...]] = {
            1: (self.directions, rows, inputs),
            2: (self.directions, rows, self.hidden),
        }
        wanted |= {3: (self.directions, 2 * rows), 4: (self.batch,)}
        for k, shape in wanted.items():
            if n.has(k) and n.type(k).shape != shape:
                raise n.malformed_error(f"input {k} is {n.type(k)!r}", f"expected the shape {list(shape)}")
        self.element: ElementType = self.x.type.tensor_element_type
        self.lengths = n.b.convert(n.value(4), I64) if n.has(4) else None
        self.acts = activations(n, self.functions, self.directions)

    def biases(self) -> list[Value]:
        """Return the biases of x's and of the state's products, [D, 1, G * hidden]; none if not given."""
        if not self.n.has(3):
            return []
        bias, rows = wide(self.n, 3), self.gates * self.hidden
        halves = [self.n.b.slice_in(bias, 1, start, start + rows) for start in (0, rows)]
        return [self.n.b.reshape(half, (self.directions, 1, rows)) for half in halves]

    def initial(self, k: int) -> Value:
        """Return an initial state, [D, batch, hidden], zeros by default."""
        shape = (self.directions, self.batch, self.hidden)
        if not self.n.has(k):
            return self.n.b.full(0, TensorType(shape, self.element))
        state = wide(self.n, k)
        state = self.n.b.transpose(state, (1, 0, 2)) if self.is_batch_first else state
        if state.type.shape != shape:
            raise self.n.malformed_error(f"input {k} is {state.type!r}", f"expected the shape {list(shape)}")
        return state

    def act(self, b: Folds, k: int, x: Value, clips: bool = True) -> Value:
        """Return function k of [D, batch, hidden], of each direction its own, after the clip."""
        if clips and (clip := self.n.attribute("clip")) is not None:
            x = b.clamp(-clip, x, clip)
        functions = [each[k] for each in self.acts]
        if len(set(functions)) == 1:
            return functions[0].apply(b, x)
        parts = [function.apply(b, b.slice_in(x, 0, d, d + 1)) for d, function in enumerate(functions)]
        return b.concatenate(parts, 0)

    def turn(self, x: Value) -> Value:
        """Return [D, time, batch, ...] with the time of backward directions reversed, up to each length."""
        if not any(self.backwards):
            return x
        parts = []
        for d, back in enumerate(self.backwards):
            part = self.n.b.row(x, d, 0)
            if back and self.lengths is None:
                part = self.n.b.reverse(part, (0,))
            elif back and self.lengths is not None:
                part = reverse_up_to(self.n.b, part, self.lengths, 0)
            parts.append(self.n.b.reshape(part, (1, *part.type.shape)))
        return self.n.b.concatenate(parts, 0)

    def split(self, b: Folds, x: Value) -> list[Value]:
        """Return the gates' parts of [..., G * hidden]."""
        size, axis = self.hidden, x.type.rank - 1
        return [b.slice_in(x, axis, k * size, (k + 1) * size) for k in range(x.type.shape[-1] // size)]

    def run(self, bias: Value | None, step: Step) -> list[Value]:
        """Return Y and the last states; bias: what is added to x's product at once."""
        n, b = self.n, self.n.b
        xs = self.turn(b.place(self.x, (self.directions, *self.x.type.shape), (1, 2, 3)))
        gates = self.project(xs)
        if bias is not None:
            gates = b.binary("add", gates, b.place(bias, gates.type.shape, (0, 2, 3)))
        states = [self.initial(k) for k in self.states]
        shape = (self.directions, self.time, self.batch, self.hidden)
        empty = b.full(0, TensorType(shape, self.element))

        def body(inner: Folds, arguments: list[Value]) -> list[Value]:
            k, before, whole = arguments[0], arguments[1:-1], arguments[-1]
            after = step(inner, inner.row_at(gates, k, 1), before)
            row = after[0]
            if self.lengths is not None:
                goes_on = inner.compare("LT", inner.broadcast(k, (self.batch,)), self.lengths)
                mask = inner.place(goes_on, row.type.shape, (1,))
                after = [inner.select(mask, *pair) for pair in zip(after, before, strict=True)]
                row = inner.select(mask, row, inner.full(0, row.type))
            return [inner.binary_scalar("add", k, 1), *after, inner.put_row(whole, row, k, 1)]

        def test(inner: Folds, arguments: list[Value]) -> list[Value]:
            return [inner.compare("LT", arguments[0], inner.full(self.time, I64))]

        ends = b.repeat([b.full(0, I64), *states, empty], test, body) if self.time else [*states, empty]
        *states, y = ends[-1 - len(states) :]
        y = b.transpose(self.turn(y), (2, 1, 0, 3) if self.is_batch_first else (1, 0, 2, 3))
        states = [b.transpose(v, (1, 0, 2)) if self.is_batch_first else v for v in states]
        results = [b.convert(v, n.type(0).tensor_element_type) for v in (y, *states)]
        return results[: len(n.proto.output)]

    def project(self, x: Value) -> Value:
        """Return the product of x and its weights, [D, time, batch, G * hidden]."""
        return self.n.b.dot_general(x, self.w, ((0,), (0,)), ((3,), (2,)))

    def recur(self, b: Folds, h: Value, r: Value) -> Value:
        """Return the product of a state and recurrence weights."""
        return b.dot_general(h, r, ((0,), (0,)), ((2,), (2,)))


Step = Callable[[Folds, Value, list[Value]], list[Value]]


def add_all(b: Folds, values: Sequence[Value]) -> Value | None:
    return b.binary("add", *values) if len(values) == 2 else next(iter(values), None)


def rnn(n: Node) -> list[Value]:
    """Return Ht = f(Xt W + Ht-1 R + Wb + Rb)."""
    cell = Cell(n, 1, ["Tanh"], [5])

    def step(b: Folds, x: Value, states: list[Value]) -> list[Value]:
        return [cell.act(b, 0, b.binary("add", x, cell.recur(b, states[0], cell.r)))]

    return cell.run(add_all(n.b, cell.biases()), step)


def gru(n: Node) -> list[Value]:
    """Return Ht = (1 - z) ht + z Ht-1, with the reset before or after the product of the hidden gate."""
    cell = Cell(n, 3, ["Sigmoid", "Tanh"], [5])
    size, is_after = cell.hidden, n.attribute("linear_before_reset", 0)
    biases = cell.biases()
    hidden_bias = n.b.slice_in(biases[1], 2, 2 * size, 3 * size) if biases and is_after else None
    if hidden_bias is not None:
        gates = n.b.slice_in(biases[1], 2, 0, 2 * size)
        zero = n.b.full(0, hidden_bias.type)
        biases[1] = n.b.concatenate([gates, zero], 2)
    r_gates, r_hidden = n.b.slice_in(cell.r, 1, 0, 2 * size), n.b.slice_in(cell.r, 1, 2 * size, 3 * size)

    def step(b: Folds, x: Value, states: list[Value]) -> list[Value]:
        (h,) = states
        x_z, x_r, x_h = cell.split(b, x)
        h_z, h_r = cell.split(b, cell.recur(b, h, r_gates))
        z, r = (cell.act(b, 0, b.binary("add", *pair)) for pair in ((x_z, h_z), (x_r, h_r)))
        if is_after:
            linear = cell.recur(b, h, r_hidden)
            if hidden_bias is not None:
                linear = b.binary("add", linear, b.place(hidden_bias, linear.type.shape, (0, 1, 2)))
            moved = b.binary("multiply", r, linear)
        else:
            moved = cell.recur(b, b.binary("multiply", r, h), r_hidden)
        hidden = cell.act(b, 1, b.binary("add", x_h, moved))
        rest = b.binary("subtract", b.full(1, z.type), z)
        return [b.binary("add", b.binary("multiply", rest, hidden), b.binary("multiply", z, h))]

    return cell.run(add_all(n.b, biases), step)


def lstm(n: Node, make: type[Cell] = Cell) -> list[Value]:
    """Return Ct = f Ct-1 + i ct and Ht = o h(Ct); peepholes add C to the gates."""
    cell = make(n, 4, ["Sigmoid", "Tanh", "Tanh"], [5, 6])
    peepholes = []
    if n.has(7):
        p = wide(n, 7)
        if p.type.shape != (cell.directions, 3 * cell.hidden):
            raise n.malformed_error(f"input 7 is {p.type!r}", "expected 3 weights for each hidden element")
        peepholes = cell.split(n.b, p)
    couples = n.attribute("input_forget", 0)

    def peep(b: Folds, k: int, x: Value, c: Value) -> Value:
        if not peepholes:
            return x
        return b.binary("add", x, b.binary("multiply", b.place(peepholes[k], c.type.shape, (0, 2)), c))

    def step(b: Folds, x: Value, states: list[Value]) -> list[Value]:
        h, c = states
        gates = cell.split(b, b.binary("add", x, cell.recur(b, h, cell.r)))
        i = cell.act(b, 0, peep(b, 0, gates[0], c))
        rest = b.binary("subtract", b.full(1, i.type), i)
        f = rest if couples else cell.act(b, 0, peep(b, 2, gates[2], c))
        inner = cell.act(b, 1, gates[3])
        c = b.binary("add", b.binary("multiply", f, c), b.binary("multiply", i, inner))
        o = cell.act(b, 0, peep(b, 1, gates[1], c))
        # The cell is not clipped where h reads it, as in onnxruntime: ONNX's words may mean both.
        return [b.binary("multiply", o, cell.act(b, 2, c, clips=False)), c]

    return cell.run(add_all(n.b, cell.biases()), step)


# Attention with a recurrent state

RULES = {"linear": (0, 0), "gated": (1, 0), "delta": (0, 1), "gated_delta": (1, 1)}


def linear_attention(n: Node) -> list[Value]:
    """Return what queries read of a state S += k v, which decays and is corrected by `update_rule`."""
    b, rule = n.b, n.attribute("update_rule", "gated_delta")
    q_heads, heads = n.attribute("q_num_heads"), n.attribute("kv_num_heads")
    if rule not in RULES or not q_heads or not heads or q_heads % heads or min(q_heads, heads) < 1:
        raise n.malformed_error(f"update_rule {rule!r}, {q_heads} heads of queries, {heads} of keys")
    decays, corrects = RULES[rule]
    if (n.has(4), n.has(5)) != (bool(decays), bool(corrects)):
        raise n.malformed_error(f"update_rule {rule!r} with decay: {n.has(4)}, with beta: {n.has(5)}")

    def heads_of(k: int, count: int) -> Value:
        """Return [time, batch, heads, size] of [batch, time, heads * size]."""
        x = wide(n, k)
        batch, time, size = x.type.shape
        return b.transpose(b.reshape(x, (batch, time, count, size // count)), (1, 0, 2, 3))

    q, k, v = heads_of(0, q_heads), heads_of(1, heads), heads_of(2, heads)
    time, batch, _, d_k = k.type.shape
    d_v, group = v.type.shape[3], q_heads // heads
    q = b.reshape(q, (time, batch, heads, group, d_k))
    full = (batch, heads, d_k, d_v)
    state = wide(n, 3) if n.has(3) else b.full(0, TensorType(full, q.type.tensor_element_type))
    if state.type.shape != full:
        raise n.malformed_error(f"past_state is {state.type!r}", f"expected the shape {list(full)}")
    decay = heads_of(4, heads) if decays else None
    beta = heads_of(5, n.type(5).shape[2]) if corrects else None
    scale = np.float32(n.attribute("scale", 0.0) or 1 / sqrt(d_k))
    empty = b.full(0, TensorType((time, batch, heads, group, d_v), q.type.tensor_element_type))

    def body(inner: Folds, arguments: list[Value]) -> list[Value]:
        at, s, whole = arguments
        q_t, k_t, v_t = (inner.row_at(x, at, 0) for x in (q, k, v))
        if decay is not None:
            factor = inner.unary("exponential", inner.row_at(decay, at, 0))
            factor = inner.broadcast(inner.reshape(factor, (*factor.type.shape, 1)), full)
            s = inner.binary("multiply", s, factor)
        if beta is not None:
            seen = inner.dot_general(s, k_t, ((0, 1), (0, 1)), ((2,), (2,)))
            rate = inner.broadcast(inner.row_at(beta, at, 0), v_t.type.shape)
            v_t = inner.binary("multiply", rate, inner.binary("subtract", v_t, seen))
        outer = [inner.place(x, full, (0, 1, d)) for x, d in ((k_t, 2), (v_t, 3))]
        s = inner.binary("add", s, inner.binary("multiply", *outer))
        out = inner.dot_general(q_t, s, ((0, 1), (0, 1)), ((3,), (2,)))
        out = inner.binary_scalar("multiply", out, float(scale))
        return [inner.binary_scalar("add", at, 1), s, inner.put_row(whole, out, at, 0)]

    def test(inner: Folds, arguments: list[Value]) -> list[Value]:
        return [inner.compare("LT", arguments[0], inner.full(time, I64))]

    _, state, out = b.repeat([b.full(0, I64), state, empty], test, body)
    out = b.reshape(b.transpose(out, (1, 0, 2, 3, 4)), (batch, time, q_heads * d_v))
    kept = n.type(3) if n.has(3) else n.type(0)
    return [
        b.convert(out, n.type(0).tensor_element_type),
        b.convert(state, kept.tensor_element_type),
    ][: len(n.proto.output)]


TABLE: dict[str, Build] = {
    "GRU": gru,
    "LSTM": lstm,
    "LinearAttention": linear_attention,
    "RNN": rnn,
}
