"""Random sorts and maps: comparators that are an order of keys, and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from spec.attributes import Dense
from spec.ir import Op, Region, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType
from tests.library.builders import Element, operands, results, value
from tests.library.strategies.op_programs import plain_element
from tests.library.strategies.programs import SHAPES, Program, body, quantized_types, reductions, with_data

I1 = ELEMENT_TYPES["i1"]
DIRECTIONS = ("LT", "GT", "LE", "GE", "EQ", "NE")
SIDES = Callable[[Value], Value]


class Code:
    """Operations of a region, as they are written one after another."""

    def __init__(self, *elements: Element) -> None:
        self.ops: list[Op] = []
        self.arguments = [value(f"{side}{k}", e) for k, e in enumerate(elements) for side in "lr"]

    def emit(self, name: str, element: Element, *operands: Value, **attributes: object) -> Value:
        result = value(f"c{len(self.ops)}", element)
        self.ops.append(Op(f"stablehlo.{name}", operands, (result,), attributes))
        return result

    def constant(self, element: ElementType, data: bytes) -> Value:
        return self.emit("constant", element, value=Dense(TensorType((), element), data))

    def region(self, *returned: Value) -> Region:
        return Region(tuple(self.arguments), (*self.ops, Op("stablehlo.return", returned, ())))


def kind_of(value: Value) -> str:
    element = value.type.element_type
    return "quantized" if isinstance(element, QuantizedType) else element.kind


def canonical(code: Code, x: Value) -> Value:
    """Emit a number with one zero and one NaN, as JAX does before it compares."""
    type = x.type.element_type
    assert isinstance(type, ElementType)
    size = type.bits // 8
    zero = code.constant(type, bytes(size))
    quiet = ((1 << type.exponent + 1) - 1) << type.mantissa - 1
    is_zero = code.emit("compare", I1, x, zero, comparison_direction="EQ")
    x_or_zero = code.emit("select", type, is_zero, zero, x)
    is_nan = code.emit("compare", I1, x, x, comparison_direction="NE")
    nan = code.constant(type, quiet.to_bytes(size, "little"))
    return code.emit("select", type, is_nan, nan, x_or_zero)


def key(draw: st.DrawFn, kind: str) -> Callable[[Code, Value], Value]:
    """A function of one side."""
    same = lambda code, x: x
    through = lambda name: lambda code, x: code.emit(name, x.type.element_type, x)
    choices = [same, same]
    if kind == "float":
        choices += [canonical, canonical, through("abs")]
    if kind in ("float", "signed", "quantized"):
        choices.append(through("negate"))
    return draw(st.sampled_from(choices))


def compared(code: Code, sides: Sequence[Value], direction: str, total: bool) -> Value:
    type = {"compare_type": "TOTALORDER"} if total else {}
    return code.emit("compare", I1, *sides, comparison_direction=direction, **type)


def lexicographic(draw: st.DrawFn, code: Code, chosen: Sequence[int]) -> Value:
    """An order of keys of these operands, the first one deciding first."""
    first, *others = chosen
    pair = code.arguments[2 * first : 2 * first + 2]
    kind = kind_of(pair[0])
    apply = key(draw, kind)
    sides = [apply(code, x) for x in pair]
    total = kind == "float" and draw(st.booleans())
    if draw(st.integers(0, 3)) == 0:
        sides = sides[::-1]
    if not others:
        return compared(code, sides, draw(st.sampled_from(DIRECTIONS[:4])), total)
    less = compared(code, sides, draw(st.sampled_from(DIRECTIONS[:2])), total)
    rest = lexicographic(draw, code, others)
    form = draw(st.sampled_from(["or", "select", "unless"]))
    equal = compared(code, sides, "NE" if form == "unless" else "EQ", total)
    if form == "or":
        both = code.emit("and", I1, *draw(st.permutations([equal, rest])))
        return code.emit("or", I1, *draw(st.permutations([less, both])))
    ways = (rest, less) if form == "select" else (less, rest)
    return code.emit("select", I1, equal, *ways)


def disorder(draw: st.DrawFn, code: Code) -> Value:
    """Comparisons of any two arguments of a type, combined: an order by chance alone."""
    asked = []
    for _ in range(draw(st.integers(1, 2))):
        x = draw(st.sampled_from(code.arguments))
        y = draw(st.sampled_from([y for y in code.arguments if y.type == x.type]))
        asked.append(compared(code, [x, y], draw(st.sampled_from(DIRECTIONS)), False))
    if len(asked) == 1:
        return asked[0]
    return code.emit(draw(st.sampled_from(["and", "or", "xor"])), I1, *asked)


def branched(code: Code, found: Value) -> Value:
    """The same through an `if`, which is not elementwise."""
    ways = [Region((), (Op("stablehlo.return", (v,), ()),)) for v in (found, found)]
    result = value("branched", I1)
    code.ops.append(Op("stablehlo.if", (found,), (result,), {}, tuple(ways)))
    return result


def elements(draw: st.DrawFn) -> Element:
    kind = draw(st.sampled_from(["float", "integer", "float", "i1", "complex", "quantized"]))
    return draw(quantized_types()) if kind == "quantized" else plain_element(draw, kind)


@st.composite
def sorts(draw: st.DrawFn, kinds: Sequence[str] = ("order", "order", "disorder", "branched")) -> Program:
    """`sort` along any dimension, of up to three operands."""
    shape = draw(st.one_of(SHAPES.filter(bool), st.tuples(st.integers(7, 20))))
    types = [elements(draw) for _ in range(draw(st.integers(1, 3)))]
    code, kind = Code(*types), draw(st.sampled_from(kinds))
    chosen = draw(st.permutations(range(len(types))))[: draw(st.integers(1, len(types)))]
    found = disorder(draw, code) if kind == "disorder" else lexicographic(draw, code, chosen)
    comparator = code.region(branched(code, found) if kind == "branched" else found)
    dimension = draw(st.integers(-len(shape), len(shape) - 1))
    attributes = {"dimension": dimension, "is_stable": draw(st.booleans())}
    inputs = operands(shape, types)[: len(types)]
    return with_data(draw, Op("stablehlo.sort", inputs, results(shape, types), attributes, (comparator,)))


@st.composite
def maps(draw: st.DrawFn) -> Program:
    """`map` of two operands by the body of a reduction, of one by a key, or of some by a comparator."""
    shape, (element, _) = draw(SHAPES), draw(reductions())
    attributes = {"dimensions": tuple(range(len(shape)))}
    code = Code(element)
    found = lexicographic(draw, code, [0]) if draw(st.booleans()) else code.arguments[0]
    if draw(st.integers(0, 3)) == 0:
        found = code.emit("not", I1, branched(code, lexicographic(draw, code, [0])))
    region = body(draw, [element]) if draw(st.booleans()) else code.region(found)
    inputs = operands(shape, [element] * 2)[:2]
    result = results(shape, [v.type.element_type for v in region.returns])
    return with_data(draw, Op("stablehlo.map", inputs, result, attributes, (region,)))


FAMILIES = {"sort": sorts(), "map": maps()}
