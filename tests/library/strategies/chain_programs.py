"""Random chains of float and quantized operations, at ordinary and extreme scales, drawn from `Random`."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from interp.backends.dtypes import numpy_dtype
from spec.attributes import Dense
from spec.ir import Func, Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, make_quantized
from tests.library.builders import combining
from tests.library.strategies.programs import Program

Element = ElementType | QuantizedType
FLOATS = ("f16", "f16", "bf16", "f32", "f32", "f64")
ARITHMETIC = ("divide", "multiply", "divide", "multiply", "add", "subtract")
BINARY = (*ARITHMETIC, "maximum", "power")
UNARY = ("exponential", "rsqrt", "sqrt", "log", "tanh", "logistic", "negate", "abs", "floor", "cosine")
ROWS, COLUMNS = 8, 5
DOT = {
    "lhs_batching_dimensions": (),
    "rhs_batching_dimensions": (),
    "lhs_contracting_dimensions": (1,),
    "rhs_contracting_dimensions": (1,),
    "precision_config": ("DEFAULT", "DEFAULT"),
}
# Powers of two around which a chain's numbers lie, by expressed type.
EXTREMES = {
    "f16": (-24, -16, -8, 8, 14),
    "bf16": (-133, -126, -60, 60, 126),
    "f32": (-149, -126, -60, 60, 126),
    "f64": (-1074, -1022, -500, 500, 1022),
}


class Chain:
    """A program in the making: its arguments, operations and the values to go on with."""

    def __init__(self, dice: Random, expressed: str, ordinary: bool) -> None:
        self.random, self.expressed, self.ordinary = dice, ELEMENT_TYPES[expressed], ordinary
        self.plain = self.random.random() < 0.5  # arithmetic alone: what compilers rewrite
        self.ops: list[Op] = []
        self.arguments: list[Value] = []
        self.values: list[Value] = []

    def around(self) -> float:
        """Draw a power of two for the scale of some numbers."""
        ordinary = self.ordinary or self.random.random() < 0.5
        exponent = (
            self.random.randint(-3, 6) if ordinary else self.random.choice(EXTREMES[self.expressed.name])
        )
        return float(2.0**exponent)

    def numbers(self, count: int) -> np.ndarray:
        """Draw numbers of one scale; some are negative in half of the draws."""
        scale, signed = self.around(), self.random.random() < 0.5
        drawn = [self.random.uniform(0.25, 4) * scale for _ in range(count)]
        signs = [self.random.choice((1, -1)) if signed else 1 for _ in range(count)]
        with np.errstate(all="ignore"):
            return (np.array(drawn) * signs).astype(numpy_dtype(self.expressed))

    def quantized_type(self) -> QuantizedType:
        most = {"f16": 2.0**10, "bf16": 2.0**20}.get(self.expressed.name, 2.0**60)
        scale = min(max(self.around() * self.random.uniform(0.02, 1), 2.0**-14), most)
        bits = self.random.choice((8, 8, 16))
        return make_quantized(f"i{bits}", self.expressed.name, scale, self.random.randint(-9, 9))

    def emit(self, name: str, element: Element, *operands: Value, **attributes: object) -> Value:
        """Append an operation whose result has the shape that most have; return the result."""
        return self.append(Op(f"stablehlo.{name}", operands, (), attributes), (ROWS, COLUMNS), element)

    def append(self, op: Op, shape: tuple[int, ...], element: Element) -> Value:
        result = Value(f"%{len(self.ops)}", TensorType(shape, element))
        self.ops.append(replace(op, results=(result,)))
        return result

    def argument(self, element: Element, shape: tuple[int, ...] = (ROWS, COLUMNS)) -> Value:
        self.arguments.append(Value(f"%arg{len(self.arguments)}", TensorType(shape, element)))
        return self.arguments[-1]

    def constant(self) -> Value:
        """A splat of the expressed type: what compilers fold divisions and products into."""
        type = TensorType((ROWS, COLUMNS), self.expressed)
        dense = Dense(type, self.numbers(1).tobytes(), splat=True)
        return self.emit("constant", self.expressed, value=dense)

    def operand(self) -> Value:
        """The last value three times as often as another one."""
        return self.random.choice((*self.values[-1:] * 5, self.random.choice(self.values)))

    def step(self, element: Element) -> None:
        """Append one operation on the values so far; the second operand of arithmetic is often constant."""
        if not self.plain and self.random.random() < 0.4:
            self.values.append(self.emit(self.random.choice(UNARY), element, self.operand()))
            return
        pair = [self.operand(), self.random.choice((*self.values, *self.arguments_of(element)))]
        if element is self.expressed and self.random.random() < 0.4:
            pair[1] = self.constant()
        if self.random.random() < 0.25:
            pair.reverse()
        name = self.random.choice(ARITHMETIC if self.plain else BINARY)
        self.values.append(self.emit(name, element, *pair))

    def arguments_of(self, element: Element) -> list[Value]:
        return [v for v in self.arguments if v.type.element_type == element]

    def change_of_type(self, element: Element) -> Element:
        """Quantize otherwise, dequantize, or convert: the last values, to a type that is returned."""
        if isinstance(element, QuantizedType):
            return self.as_type(self.random.choice((self.quantized_type(), self.expressed)))
        if not self.plain and self.random.random() < 0.3:
            return self.as_type(self.quantized_type())
        self.expressed = ELEMENT_TYPES[self.random.choice(FLOATS)]
        return self.as_type(self.expressed)

    def as_type(self, element: Element) -> Element:
        name = "uniform_quantize" if isinstance(element, QuantizedType) else "convert"
        if isinstance(self.values[0].type.element_type, QuantizedType) and name == "convert":
            name = "uniform_dequantize"
        self.values = [
            value if value.type.element_type == element else self.emit(name, element, value)
            for value in self.values[-3:]
        ]
        return element

    def finish(self) -> None:
        """Perhaps append a sum or an extremum of each row, or a product of the last value and another."""
        choices = ("none", "none", "none", "add", "maximum", "dot")[2 - 2 * self.plain :]
        value, choice = self.values[-1], self.random.choice(choices)
        element = value.type.element_type
        if choice == "dot" and not isinstance(element, QuantizedType):
            op = Op("stablehlo.dot_general", (value, self.operand()), (), DOT)
            self.values.append(self.append(op, (ROWS, ROWS), element))
        elif choice in ("add", "maximum"):
            operands, body = (value, self.argument(element, ())), combining(choice, element)
            op = Op("stablehlo.reduce", operands, (), {"dimensions": (1,)}, (body,))
            self.values.append(self.append(op, (ROWS,), element))

    def program(self) -> Program:
        result = self.values[-1]
        code = Region(tuple(self.arguments), (*self.ops, Op("func.return", (result,), ())))
        return Program(
            Module({"main": Func("main", code, (result.type,))}),
            tuple(self.stored(v.type) for v in self.arguments),
        )

    def stored(self, type: TensorType) -> np.ndarray:
        """Draw an argument; an init value is zero."""
        element = type.element_type
        if isinstance(element, QuantizedType):
            low, high, zero = element.storage_min, element.storage_max, element.zero_point
            drawn = [self.random.randint(low, high) >> self.random.randint(0, 4) for _ in range(type.size)]
        else:
            self.expressed, zero = element, 0
            drawn = self.numbers(type.size).tolist()
        return np.array(drawn if type.rank else zero, numpy_dtype(type.storage_type)).reshape(type.shape)


def chain(dice: Random, kind: str = "", ordinary: bool | None = None) -> Program:
    """Draw a program of `kind`: "float", or "quantized"; if `ordinary`, of numbers between 1/16 and 256."""
    kind = kind or dice.choice(("float", "quantized"))
    ordinary = dice.random() < 0.5 if ordinary is None else ordinary
    made = Chain(dice, dice.choice(FLOATS), ordinary)
    element: Element = made.expressed if kind == "float" else made.quantized_type()
    made.values = [made.argument(element) for _ in range(dice.randint(2, 3))]
    for _ in range(dice.randint(2, 5)):
        if dice.random() < 0.2:
            element = made.change_of_type(element)
        made.step(element)
    made.finish()
    return made.program()
