"""UNIDIRECTIONAL_SEQUENCE_LSTM of i8: sums of 32 bits, gates and cells of 16 bits, in plain integers.

Both states are variables of the model: they stay from call to call. One step of the sequence is the body of a
loop. A gate is in steps of 2^-12, its sigmoid or tanh in steps of 2^-15.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import log2

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert import gemmlowp
from interp.apps.litert.node import I16, I32, I64, Build, Node, accumulator_type, storage_of
from interp.loading.build import Folds
from spec.ir import Value
from spec.types import QuantizedType, TensorType

# The places of inputs: weights of the input and of the output state, then what a gate may have besides.
GATES = ("input", "forget", "cell", "output")
X, WEIGHTS, RECURRENT, PEEPHOLES, BIASES = 0, 1, 5, {"input": 9, "forget": 10, "output": 11}, 12
PROJECTION, PROJECTION_BIAS, STATE, CELL, NORMS = 16, 17, 18, 19, 20
HIDDEN = 4  # the place of the hidden state among the intermediate tensors
UNIT = 2.0**-12  # of a gate
MOST = 6  # integer bits of a cell of which LiteRT has tanh
State = tuple[Value, Value]  # the output state as stored, and the cell of i16


def saturate16(b: Folds, x: Value) -> Value:
    return b.clamp(-32768, x, 32767)


def function_of_16(b: Folds, function: Callable[..., np.ndarray], x: Value, integer_bits: int) -> Value:
    """Return a function of numbers of 16 bits, in i32, as a table of all its results."""
    table = b.array(table_of(function, integer_bits), I32)
    return b.gather(table, b.binary_scalar("add", x, 32768), 0)


@lru_cache(maxsize=16)
def table_of(function: Callable[..., np.ndarray], integer_bits: int) -> np.ndarray:
    return function(np.arange(-32768, 32768, dtype=np.int64), integer_bits, 16).astype(np.int32)


@dataclass
class Cell:
    """An LSTM of a node: its types, and the power of two that its cells are in steps of."""

    n: Node
    state: QuantizedType
    exponent: int

    def sums(self, b: Folds, x: Value, weights: int, bias: Value | None) -> Value:
        """Return the products of rows with weights, and the bias, in i32."""
        w = self.n.quantized_type(weights)
        if w.storage_type.name != "i8" or w.zero_point:
            raise self.n.unsupported_error(f"weights of {w!r}", "expected i8 without a zero point")
        scale = np.float32(x.type.quantized_element_type.scale) * np.float32(w.scale)
        rows = b.dot_general(x, self.n.value(weights), ((), ()), ((1,), (1,)), accumulator_type(scale))
        total = storage_of(b, rows)
        return total if bias is None else b.binary("add", total, b.place(bias, total.type.shape, (1,)))

    def rescale(self, b: Folds, x: Value, *scales: float) -> Value:
        """Return integers times a quotient of scales, of which each step is of f32, rounded twice."""
        return fixed.doubly_rounded(b, x, fixed.quantize_multiplier(self.n, fixed.ratio32(*scales)))

    def gate(self, b: Folds, k: int, x: Value, h: Value, c: Value) -> Value:
        """Return a gate before its function: each part is added, and the sum saturates at 16 bits."""
        n, is_normed = self.n, has_norms(self.n)
        unit = intermediate(n, k).scale if is_normed else UNIT
        bias = n.storage(BIASES + k)
        parts = [(x, WEIGHTS + k, None if is_normed else bias), (h, RECURRENT + k, None)]
        total: Value | None = None
        for operand, place, more in parts:
            scales = n.quantized_type(place).scale, operand.type.quantized_element_type.scale, unit
            part = self.rescale(b, self.sums(b, operand, place, more), *scales)
            total = saturate16(b, part if total is None else b.binary("add", total, part))
        assert total is not None
        peephole = PEEPHOLES.get(GATES[k])
        if peephole is not None and n.has(peephole):
            weights = b.convert(n.storage(peephole), I32)
            product = b.binary("multiply", b.place(weights, c.type.shape, (1,)), b.convert(c, I32))
            real = 2.0**self.exponent * n.quantized_type(peephole).scale / float(np.float32(unit))
            pair = fixed.quantize_multiplier(n, float(np.float32(real)))
            total = saturate16(b, b.binary("add", total, fixed.doubly_rounded(b, product, pair)))
        return normalize(n, b, k, total, bias) if is_normed else total

    def step(self, b: Folds, x: Value, state: State) -> State:
        """Return both states after one step."""
        n, (h, c) = self.n, state
        make = lambda k, cell: self.gate(b, k, x, h, cell)
        sigmoid = lambda v: function_of_16(b, gemmlowp.logistic, v, 3)
        kept, change = sigmoid(make(1, c)), function_of_16(b, gemmlowp.tanh, make(2, c), 3)
        opened = sigmoid(make(0, c)) if n.has(WEIGHTS) else b.binary("subtract", b.full(32767, I32), kept)
        old = fixed.divide_by_power(b, b.binary("multiply", kept, b.convert(c, I32)), 15)
        more = fixed.divide_by_power(b, b.binary("multiply", opened, change), 30 + self.exponent)
        new = saturate16(b, b.binary("add", old, more))
        if (clip := n.option("cell_clip")) > 0:
            most = int(min(np.float32(clip) / np.float32(n.quantized_type(CELL).scale), np.float32(32767)))
            new = b.clamp(-most, new, most)
        cell = b.convert(new, I16)
        gate = sigmoid(make(3, cell))
        wave = self.wave(b, new, opened)
        return self.output(b, b.binary("multiply", gate, wave)), cell

    def wave(self, b: Folds, cell: Value, opened: Value) -> Value:
        """Return tanh of cells, for which LiteRT leaves the input gate if it has no fitting function."""
        bits = 15 + self.exponent
        if 0 <= bits <= MOST:
            return function_of_16(b, gemmlowp.tanh, cell, bits)
        near = lambda q, *_: fixed.half_away(np.tanh(q * 2.0**self.exponent) * 32768).clip(-32768, 32767)
        right = function_of_16(b, near, cell, bits)
        fault = f"LSTM of LiteRT takes the input gate for tanh of cells in steps of 2^{self.exponent}"
        differ = self.n.compare_at_fault(fault, "NE", opened, right, b)
        return b.select(differ, opened, right)

    def output(self, b: Folds, product: Value) -> Value:
        """Return the output state: the hidden state, or its projection."""
        n, hidden = self.n, intermediate(self.n, HIDDEN)
        real = float(np.float32(2.0**-15 / float(np.float32(hidden.scale)) * 2.0**-15))
        m = fixed.doubly_rounded(b, product, fixed.quantize_multiplier(n, real))
        if not n.has(PROJECTION):
            state = replace(self.state, zero_points=(hidden.zero_point,))
            return b.bitcast(storage_of(b, fixed.store(b, m, state)), self.state)
        negated = replace(hidden, zero_points=(-hidden.zero_point,))
        wide = b.clamp(-128, b.binary_scalar("add", m, -hidden.zero_point), 127)
        rows = b.bitcast(b.convert(wide, hidden.storage_type), negated)
        bias = n.storage(PROJECTION_BIAS) if n.has(PROJECTION_BIAS) else None
        scales = n.quantized_type(PROJECTION).scale, hidden.scale, self.state.scale
        y = fixed.store(b, self.rescale(b, self.sums(b, rows, PROJECTION, bias), *scales), self.state)
        if (clip := n.option("projection_clip")) > 0:
            most = int(min(np.float32(clip) / np.float32(n.result().scale), np.float32(127)))
            stored = b.clamp(-most, b.convert(storage_of(b, y), I32), most)
            return b.bitcast(b.convert(stored, self.state.storage_type), self.state)
        return y


def has_norms(n: Node) -> bool:
    return n.has(NORMS + GATES.index("forget"))


def intermediate(n: Node, k: int) -> QuantizedType:
    """Return the type of an intermediate tensor, which only gives a scale."""
    if k >= len(n.intermediates):
        raise n.malformed_error(f"intermediate tensor {k} is missing", f"{len(n.intermediates)} there")
    return n.per_tensor(n.intermediates[k])


def normalize(n: Node, b: Folds, k: int, x: Value, bias: Value) -> Value:
    """Return rows of a gate with mean 0 and deviation 1, times coefficients, plus a bias, in 16 bits."""
    count, scale = x.type.shape[1], n.quantized_type(NORMS + k).scale
    wide, zero = b.convert(x, I64), b.full(0, TensorType((), I64))
    total = b.reduce(wide, zero, "add", [1])
    squares = b.reduce(b.binary("multiply", wide, wide), zero, "add", [1])
    mean = b.binary_scalar("divide", b.binary_scalar("multiply", total, 1024), count)
    mean32 = b.convert(mean, I32)
    mean = b.convert(mean32, I64)
    variance = b.binary(
        "subtract",
        b.binary_scalar("multiply", squares, (1 << 20) // count),
        b.binary("multiply", mean, mean),
    )
    variance = b.convert(b.binary_scalar("divide", variance, 1 << 20), I32)
    guard = max(1, int(np.float32(10000) * np.float32(scale)))
    variance = b.select(b.compare("LT", variance, b.full(1, I32)), b.full(guard, I32), variance)
    multiplier, right = (b.place(v, x.type.shape, (0,)) for v in gemmlowp.inverse_root(b, variance))
    shifted = b.binary("subtract", b.binary_scalar("multiply", x, 1024), b.place(mean32, x.type.shape, (0,)))
    even = gemmlowp.scale_by(b, shifted, multiplier, b.unary("negate", right))
    coefficients = b.place(b.convert(n.storage(NORMS + k), I32), x.type.shape, (1,))
    real = b.binary("add", b.binary("multiply", even, coefficients), b.place(bias, x.type.shape, (1,)))
    wide = b.convert(real, I64)
    half = b.select(b.compare("GT", wide, b.full(0, I64)), b.full(512, I64), b.full(-512, I64))
    whole = b.convert(b.binary_scalar("divide", b.binary("add", wide, half), 1024), I32)
    m, shift = fixed.quantize_multiplier(n, float(np.float32(scale)))
    return saturate16(b, fixed.doubly_rounded(b, whole, (m, shift + 12)))


def exponent_of_cells(n: Node) -> int:
    """Return the power of two that cells are in steps of; `Unsupported` for an LSTM that is not read here."""
    cell, x = n.quantized_type(CELL), n.type(X)
    types = [n.tensor(k).storage.name for k in (X, STATE, CELL, WEIGHTS + 1)]
    if types != ["i8", "i8", "i16", "i8"]:
        raise n.unsupported_error(f"an LSTM of {types}", "expected i8, with a cell of i16")
    exponent = round(log2(cell.scale))
    is_odd = not 0 <= 15 + exponent <= MOST
    if cell.scale != 2.0**exponent or not -30 <= exponent < 0 or (is_odd and not n.has(WEIGHTS)):
        raise n.unsupported_error(f"a cell in steps of {cell.scale}", "expected 2^-15 to 2^-9")
    if x.rank != 3 or n.activation != "TANH":
        raise n.unsupported_error(f"{x!r}, activation {n.activation}", "expected rank 3, TANH")
    if n.has(PEEPHOLES["output"]) and n.has(PROJECTION):
        raise n.unsupported_error("peepholes and a projection", "LiteRT adds peepholes to some units only")
    if n.scope.kernels == "micro":
        raise n.unsupported_error("LSTM by tflite-micro's kernels", 'expected kernels="litert"')
    return exponent


def lstm(n: Node) -> Value:
    """Return the output states of all steps, (batch, time, units), or (time, batch, units)."""
    how = Cell(n, n.per_tensor(n.tensor(STATE)), exponent_of_cells(n))
    x, axis = n.value(X), 0 if n.option("time_major") else 1
    h, c = (n.scope.state(n.content.inputs[k], n) for k in (STATE, CELL))
    steps, shape = x.type.shape[axis], [x.type.shape[1 - axis], h.type.shape[1]]
    shape.insert(axis, steps)
    first = [n.b.full(0, I32), h, storage_of(n.b, c), n.b.full(0, TensorType(tuple(shape), how.state))]
    last = n.b.repeat(first, partial(goes_on, steps), partial(advance, how, x, axis))
    n.scope.assign(n.content.inputs[STATE], last[1], n)
    n.scope.assign(n.content.inputs[CELL], n.b.bitcast(last[2], n.quantized_type(CELL)), n)
    return n.b.bitcast(last[3], n.out().element)


def goes_on(steps: int, b: Folds, state: list[Value]) -> list[Value]:
    return [b.compare("LT", state[0], b.full(steps, I32))]


def advance(how: Cell, x: Value, axis: int, b: Folds, state: list[Value]) -> list[Value]:
    """Return the number of the next step, both states, and the outputs up to it."""
    k, h, c, out = state
    h, c = how.step(b, b.row_at(x, k, axis), (h, c))
    return [b.binary_scalar("add", k, 1), h, c, b.put_row(out, h, k, axis)]


TABLE: dict[str, Build] = {"UNIDIRECTIONAL_SEQUENCE_LSTM": lstm}
