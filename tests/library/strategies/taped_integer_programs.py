"""Random chains of quantized and integer operations that a tape computes, with floats among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

import interp
from tests.library.strategies.programs import Program
from tests.library.strategies.taped_programs import SPECIAL

Shape = tuple[int, ...]
STORAGE = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16, "ui16": np.uint16, "i32": np.int32}
DTYPES = {**STORAGE, "f32": np.float32, "i1": np.bool_}
QUANTIZED = (
    "u8:f32, 0.1:128",
    "u8:f32, 0.0039215688593685627",
    "u8:f32, 0.25:255",
    "i8:f32, 0.5:-128",
    "i8<-127:127>:f32, 0.037",
    "i8<3:90>:f32, 0.7:5",
    "i16:f32, 1.7:-300",
    "u16:f32, 0.001:65535",
    "i32:f32, 0.0123",
    "i32:f32, 3.0:-7",
)
EXTREME = np.array([0, 1, -1, 2**31 - 1, -(2**31), 2**24, 2**24 + 1, 46341], np.int64)


class Value(NamedTuple):
    """A name, a shape and the type of elements; `storage` is that of a quantized type."""

    name: str
    shape: Shape
    type: str

    @property
    def storage(self) -> str:
        if not self.type.startswith("!"):
            return self.type
        return self.type[len("!quant.uniform<") :].split(":f32")[0].split("<")[0].replace("u", "ui")

    @property
    def text(self) -> str:
        return "tensor<" + "".join(f"{n}x" for n in self.shape) + self.type + ">"

    @property
    def is_per_axis(self) -> bool:
        return "{" in self.type


def quantized(parameters: str) -> str:
    return f"!quant.uniform<{parameters}>"


class Chain:
    """The lines of a program, and its values so far."""

    def __init__(self, draw: st.DrawFn, rng: np.random.Generator) -> None:
        self.draw, self.rng = draw, rng
        self.lines: list[str] = []
        self.values: list[Value] = []
        self.arguments: list[Value] = []
        self.args: list[np.ndarray] = []

    def pick(self, choices: Sequence[object]) -> object:
        return self.draw(st.sampled_from(choices))

    def size(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def add(self, shape: Sequence[int], type: str, text: str, operands: Sequence[Value]) -> Value:
        value = Value(f"%v{len(self.lines)}", tuple(shape), type)
        types = ", ".join(x.text for x in operands)
        self.lines.append(f"{value.name} = {text} : ({types}) -> {value.text}")
        self.values.append(value)
        return value

    def random(self, shape: Shape, type: str) -> np.ndarray:
        """Return any numbers of a type; floats near to ties of quantization, and special ones."""
        if type == "f32":
            x = np.float32(self.rng.integers(-600, 600, shape) / 2) * self.rng.choice(
                np.float32([0.1, 0.5, 0.25, 1e4])
            )
            there = self.rng.random(shape) < 0.1
            return np.where(there, self.rng.choice(SPECIAL, shape), x).astype(np.float32)
        if type == "i32":
            small = self.rng.integers(-300, 300, shape)
            there = self.rng.random(shape) < 0.2
            return np.where(there, self.rng.choice(EXTREME, shape), small).astype(np.int32)
        info = np.iinfo(STORAGE[type])
        return self.rng.integers(info.min, info.max + 1, shape).astype(STORAGE[type])

    def argument(self, shape: Sequence[int], type: str) -> Value:
        value = Value(f"%a{len(self.arguments)}", tuple(shape), type)
        self.arguments.append(value)
        self.args.append(self.random(value.shape, type))
        self.values.append(value)
        return value

    def constant(self, x: np.ndarray, type: str) -> Value:
        if type.startswith("!"):
            plain = self.constant(x, Value("", (), type).storage)
            return self.add(x.shape, type, f"stablehlo.bitcast_convert {plain.name}", [plain])
        value = Value(f"%c{len(self.lines)}", x.shape, type)
        data = x.tobytes().hex().upper()
        self.lines.append(f'{value.name} = stablehlo.constant dense<"0x{data}"> : {value.text}')
        return value

    def operand(self, shape: Sequence[int], type: str) -> Value:
        if self.draw(st.booleans()):
            return self.argument(shape, type)
        return self.constant(self.random(tuple(shape), type), type)

    def among(self, *types: str) -> Value:
        """Return a value of one of these types, or a new argument."""
        fit = [x for x in self.values if x.type in types and x.shape and prod(x.shape) < 3000]
        if fit:
            return self.pick(fit)  # type: ignore[return-value]
        return self.argument(self.values[0].shape, str(self.pick(types)))

    def quantized_value(self) -> Value:
        fit = [x for x in self.values if x.type.startswith("!") and prod(x.shape) < 3000]
        return self.pick(fit) if fit else self.quantize()  # type: ignore[return-value]

    def quantized_type(self, shape: Shape) -> str:
        parameters = str(self.pick(QUANTIZED))
        if shape and self.draw(st.booleans()):
            storage = str(self.pick(["u8", "i8", "i32"]))
            d = self.size(0, len(shape) - 1)
            zeros = {"u8": (0, 255), "i8": (-128, 127), "i32": (0, 0)}[storage]
            pairs = [f"{self.pick([0.1, 0.5, 0.031, 2.0])}:{self.size(*zeros)}" for _ in range(shape[d])]
            return quantized(f"{storage}:f32:{d}, {{{', '.join(pairs)}}}")
        return quantized(parameters)

    def quantize(self) -> Value:
        x = self.among("f32")
        return self.add(x.shape, self.quantized_type(x.shape), f"stablehlo.uniform_quantize {x.name}", [x])

    def requantize(self) -> None:
        x = self.quantized_value()
        type = self.quantized_type(x.shape)
        self.add(x.shape, type, f"stablehlo.uniform_quantize {x.name}", [x])

    def dequantize(self) -> None:
        x = self.quantized_value()
        self.add(x.shape, "f32", f"stablehlo.uniform_dequantize {x.name}", [x])

    def bits(self) -> None:
        x = self.quantized_value()
        plain = self.add(x.shape, x.storage, f"stablehlo.bitcast_convert {x.name}", [x])
        if "<" not in x.type[len("!quant.uniform<") :]:
            other = [t for t in map(quantized, QUANTIZED) if Value("", (), t).storage == x.storage]
            type = str(self.pick([t for t in other if t.count("<") == 1]))
            self.add(x.shape, type, f"stablehlo.bitcast_convert {plain.name}", [plain])

    def convert(self) -> None:
        x = self.among(*DTYPES)
        type = str(self.pick([t for t in DTYPES if t != x.type]))
        self.add(x.shape, type, f"stablehlo.convert {x.name}", [x])

    def integers(self) -> None:
        """Add, subtract, multiply, or take an extreme or a clamp; often i32 that was made of storage."""
        x = self.among("i32", "i32", "ui8", "i8")
        if x.type != "i32" and self.draw(st.booleans()):
            x = self.add(x.shape, "i32", f"stablehlo.convert {x.name}", [x])
        y = self.pick([v for v in self.values if (v.shape, v.type) == (x.shape, x.type)] + [None])
        y = y or self.operand(x.shape, x.type)
        name = self.pick(["add", "subtract", "multiply", "maximum", "minimum", "clamp"])
        if name == "clamp":
            ends = [self.constant(np.array(end, DTYPES[x.type]), x.type) for end in (3, 100)]
            text = f"stablehlo.clamp {ends[0].name}, {x.name}, {ends[1].name}"
            self.add(x.shape, x.type, text, [ends[0], x, ends[1]])
            return
        self.add(x.shape, x.type, f"stablehlo.{name} {x.name}, {y.name}", [x, y])  # type: ignore[attr-defined,list-item]

    def arithmetic(self) -> None:
        """Compute with quantized elements, through floats."""
        x = self.quantized_value()
        name = self.pick(["add", "multiply", "subtract", "maximum", "minimum"])
        y, type = x, x.type
        if x.is_per_axis:
            name = "add"
        elif name in ("add", "multiply"):
            like = lambda type: (
                type.startswith("!") and Value("", (), type).storage == x.storage and type.count("<") == 1
            )
            if x.type.count("<") > 1:
                like = lambda type: type == x.type
            same = [v for v in self.values if like(v.type) and v.shape == x.shape and not v.is_per_axis]
            y = self.pick(same)  # type: ignore[assignment]
            type = str(self.pick([t for t in map(quantized, QUANTIZED) if like(t)]))
        self.add(x.shape, type, f"stablehlo.{name} {x.name}, {y.name}", [x, y])

    def choose(self) -> None:
        x = self.among("f32", "ui8", "i8", "i32")
        y = self.operand(x.shape, x.type)
        direction = self.pick(["EQ", "NE", "LT", "LE", "GT", "GE"])
        pred = self.add(x.shape, "i1", f"stablehlo.compare {direction}, {x.name}, {y.name}", [x, y])
        text = f"stablehlo.select {pred.name}, {x.name}, {y.name}"
        self.add(x.shape, x.type, text, [pred, x, y])

    def round(self) -> None:
        x = self.among("f32")
        name = self.pick(["round_nearest_even", "floor", "ceil"])
        self.add(x.shape, "f32", f"stablehlo.{name} {x.name}", [x])

    def move(self) -> None:
        """Transpose, reshape, broadcast, slice, reverse, concatenate or pad elements of any type."""
        fit = [v for v in self.values if v.shape and prod(v.shape) < 1500 and not v.is_per_axis]
        x = self.pick(fit)
        assert isinstance(x, Value)
        shape, rank = x.shape, len(x.shape)
        name, d = (
            self.pick(["transpose", "reshape", "slice", "concatenate", "pad", "broadcast"]),
            self.size(0, rank - 1),
        )
        if name == "transpose":
            order = self.draw(st.permutations(range(rank)))
            self.add(
                [shape[k] for k in order], x.type, f"stablehlo.transpose {x.name}, dims = {[*order]}", [x]
            )
        elif name == "reshape":
            self.add([prod(shape), 1], x.type, f"stablehlo.reshape {x.name}", [x])
        elif name == "slice":
            parts = ", ".join(f"{n // 2}:{n}" for n in shape)
            self.add([n - n // 2 for n in shape], x.type, f"stablehlo.slice {x.name} [{parts}]", [x])
        elif name == "concatenate":
            others = [v for v in self.values if (v.shape, v.type) == (shape, x.type)]
            y = self.pick(others)
            wide = [2 * n if k == d else n for k, n in enumerate(shape)]
            text = f"stablehlo.concatenate {x.name}, {y.name}, dim = {d}"  # type: ignore[attr-defined]
            self.add(wide, x.type, text, [x, y])  # type: ignore[list-item]
        elif name == "broadcast":
            text = f"stablehlo.broadcast_in_dim {x.name}, dims = {[*range(1, rank + 1)]}"
            self.add([2, *shape], x.type, text, [x])
        elif not x.type.startswith("!"):
            value = self.constant(np.array(1, DTYPES[x.type]), x.type) if x.type != "i1" else None
            if value is not None:
                edges = [1] * rank
                text = (
                    f"stablehlo.pad {x.name}, {value.name}, low = {edges}, high = {edges}, interior = {edges}"
                )
                self.add([2 * n + 1 for n in shape], x.type, text, [x, value])

    def fold(self) -> None:
        """Reduce integers, or storage by its extreme."""
        x = self.among("i32", "ui8", "i8")
        dimensions = sorted(self.draw(st.sets(st.integers(0, len(x.shape) - 1))))
        init = self.constant(np.array(self.pick([0, 1]), DTYPES[x.type]), x.type)
        name = self.pick(["add", "maximum", "minimum", "multiply"])
        text = f"stablehlo.reduce({x.name} init: {init.name}) applies stablehlo.{name}"
        shape = [n for d, n in enumerate(x.shape) if d not in dimensions]
        self.add(shape, x.type, f"{text} across dimensions = {dimensions}", [x, init])

    def window(self) -> None:
        """Take the largest element of windows of quantized or plain integers."""
        fit = [
            v
            for v in self.values
            if v.type != "i1" and v.shape and not v.is_per_axis and prod(v.shape) < 3000
        ]
        x = self.pick(fit)
        assert isinstance(x, Value)
        scalar = Value("%", (), x.type).text
        if x.type.startswith("!"):
            data = np.array(5, STORAGE[x.storage])
            init = self.constant(data, x.type)
        else:
            init = self.constant(np.array(5, DTYPES[x.type]), x.type)
        rank, name = len(x.shape), self.pick(["maximum", "minimum"])
        body = f"""({{
    ^bb0(%p: {scalar}, %q: {scalar}):
      %r = "stablehlo.{name}"(%p, %q) : ({scalar}, {scalar}) -> {scalar}
      stablehlo.return %r : {scalar}
  }}) {{window_dimensions = array<i64: {", ".join(["2"] * rank)}>,
       padding = dense<1> : tensor<{rank}x2xi64>}}"""
        self.add(
            [n + 1 for n in x.shape],
            x.type,
            f'"stablehlo.reduce_window"({x.name}, {init.name}) {body}',
            [x, init],
        )

    def dot(self) -> None:
        """Multiply integers as they are, or less a zero point in i32; or quantized ones."""
        x = self.among("ui8", "i8", "i32", "i16")
        if x.type != "i32" and self.draw(st.booleans()):
            x = self.add(x.shape, "i32", f"stablehlo.convert {x.name}", [x])
        n, last = self.size(1, 20), x.shape[-1]
        y = self.operand([last, n], x.type)
        text = f"stablehlo.dot_general {x.name}, {y.name}, contracting_dims = [{len(x.shape) - 1}] x [0]"
        self.add([*x.shape[:-1], n], "i32", text, [x, y])

    def long_dot(self) -> None:
        """Multiply more bytes than f32 has the sums of."""
        k, n = self.size(500, 1300), self.size(1, 18)
        x, y = self.argument([3, k], "ui8"), self.operand([k, n], "ui8")
        x, y = (self.add(v.shape, "i32", f"stablehlo.convert {v.name}", [v]) for v in (x, y))
        text = f"stablehlo.dot_general {x.name}, {y.name}, contracting_dims = [1] x [0]"
        self.add([3, n], "i32", text, [x, y])

    def quantized_dot(self) -> None:
        x, last, n = self.among("f32"), 0, self.size(1, 12)
        last = x.shape[-1]
        left = quantized(str(self.pick(QUANTIZED[:6])))
        storage = Value("", (), left).storage
        q = self.add(x.shape, left, f"stablehlo.uniform_quantize {x.name}", [x])
        scales = ", ".join(str(self.pick([0.1, 0.013, 2.0])) for _ in range(n))
        short = storage.replace("ui", "u")
        per_axis = quantized(f"{short}:f32:1, {{{scales}}}")
        data = self.rng.integers(3, 90, [last, n]).astype(STORAGE[storage])
        w = self.constant(data, per_axis)
        result = f"i32:f32:{len(x.shape) - 1}, {{{scales}}}"
        text = f"stablehlo.dot_general {q.name}, {w.name}, contracting_dims = [{len(x.shape) - 1}] x [0]"
        self.add([*x.shape[:-1], n], quantized(result), text, [q, w])

    def convolution(self) -> None:
        """Convolve integers with padding: grouped, depthwise or neither."""
        features = self.size(1, 4)
        x = self.operand([1, self.size(2, 5), 4, features], str(self.pick(["i8", "ui8", "i32"])))
        if x.type != "i32":
            x = self.add(x.shape, "i32", f"stablehlo.convert {x.name}", [x])
        groups = self.pick([1, features])
        assert isinstance(groups, int)
        outputs = groups * self.size(1, 9)
        w = self.operand([2, 3, features // groups, outputs], "i8")
        w = self.add(w.shape, "i32", f"stablehlo.convert {w.name}", [w])
        text = (
            f"stablehlo.convolution({x.name}, {w.name}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
        )
        text += ", window = {pad = [[1, 0], [1, 1]]}"
        text += f" {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}"
        self.add([1, x.shape[1], 4, outputs], "i32", text, [x, w])


STEPS: tuple[Callable[[Chain], object], ...] = (
    Chain.quantize,
    Chain.requantize,
    Chain.dequantize,
    Chain.bits,
    Chain.convert,
    Chain.integers,
    Chain.arithmetic,
    Chain.choose,
    Chain.round,
    Chain.move,
    Chain.fold,
    Chain.window,
    Chain.dot,
    Chain.long_dot,
    Chain.quantized_dot,
    Chain.convolution,
)


@st.composite
def taped_integers(draw: st.DrawFn, step: Callable[[Chain], object]) -> Program:
    """Return a program of up to twelve steps, of which `step` is taken more often than others."""
    chain = Chain(draw, np.random.default_rng(draw(st.integers(0, 2**20))))
    chain.argument([draw(st.sampled_from((2, 3, 1, 9))) for _ in range(draw(st.integers(1, 3)))], "f32")
    for _ in range(draw(st.integers(1, 12))):
        (step if draw(st.booleans()) else draw(st.sampled_from(STEPS)))(chain)
    results = draw(st.lists(st.sampled_from(chain.values), min_size=1, max_size=3))
    results.append(chain.values[-1])
    types = ", ".join(value.text for value in results)
    arguments = ", ".join(f"{value.name}: {value.text}" for value in chain.arguments)
    lines = "\n  ".join(chain.lines)
    text = f"""func.func @main({arguments}) -> ({types}) {{
  {lines}
  return {", ".join(value.name for value in results)} : {types}
}}"""
    return Program(interp.load(text), chain.args)
