"""Cases of elementwise operations: each on every pair of edge values of a type, and on quantized operands."""

from __future__ import annotations

from collections.abc import Iterator

from cases.operations import INF, NAN, Operation, drawn, edges, op, pairs, program, types

EDGES = "Every pair of values at the edges: zeros, ones, bounds and what lies beside them."
BINARY = {
    "add": ("integer addition wraps", "i8 ui8 i4 i64"),
    "subtract": ("integer subtraction wraps", "i8 ui8 i2 ui32"),
    "multiply": ("integer multiplication wraps", "i8 ui8 i4 i32"),
    "divide": ("integer division truncates; by zero all bits are set", "i8 ui8 i4 i32 ui64"),
    "remainder": ("integer remainder has the dividend's sign; by zero it is the dividend", "i8 ui8 i4 i64"),
    "power": ("integer power wraps; a negative exponent leaves the truncated reciprocal", "i8 ui8 i4 i32"),
    "maximum": ("integers are ordered by their signedness", "i8 ui8 ui64"),
    "minimum": ("integers are ordered by their signedness", "i8 ui8 ui64"),
    "and": ("bitwise and", "i8 ui4 i1"),
    "or": ("bitwise or", "i8 ui4 i1"),
    "xor": ("bitwise exclusive or", "i8 ui4 i1"),
    "shift_left": ("an amount is unsigned; from the width on nothing is left", "i8 ui8 i4 ui64"),
    "shift_right_logical": ("zeros fill; an amount is unsigned", "i8 ui8 i4 i32"),
    "shift_right_arithmetic": ("the sign fills, of unsigned types, too", "i8 ui8 i4 i32"),
}
BOOLEAN = {
    "add": "addition of booleans is or",
    "multiply": "multiplication of booleans is and",
    "maximum": "maximum of booleans is or",
    "minimum": "minimum of booleans is and",
}
UNARY = {
    "abs": ("the magnitude of the least integer wraps", "i8 i4"),
    "negate": ("the negative of the least integer wraps", "i8 ui8 i4"),
    "not": ("every bit flips", "i8 ui4 i1"),
    "sign": ("the sign of an integer", "i8 i32"),
    "popcnt": ("the number of bits set", "i8 ui4 i2 i64"),
    "count_leading_zeros": ("the number of leading zeros, of a zero the width", "i8 ui4 i2 i64"),
}
FLOAT_BINARY = {
    "add": ("one rounding; infinities of opposite sign give NaN", "f32 f16 bf16 f64 f8E4M3FN f8E5M2"),
    "subtract": ("one rounding; equal infinities give NaN", "f32 f16 bf16"),
    "multiply": ("one rounding; zero times infinity is NaN", "f32 f16 bf16 f64 f8E4M3FN"),
    "divide": ("one rounding; by zero infinity, of zero NaN", "f32 f16 bf16 f64"),
    "remainder": ("exact, with the dividend's sign", "f32 f16 f64"),
    "maximum": ("NaN is propagated, -0 < +0", "f32 f16 bf16 f64"),
    "minimum": ("NaN is propagated, -0 < +0", "f32 f16 bf16 f64"),
}
FLOAT_UNARY = {
    "abs": ("abs clears the sign, of zero, too", "f32 f16"),
    "negate": ("negate flips the sign, of zero, too", "f32 bf16"),
    "ceil": ("toward positive infinity", "f32 bf16"),
    "floor": ("toward negative infinity", "f32 f16"),
    "round_nearest_even": ("ties to even", "f32 f16"),
    "round_nearest_afz": ("ties away from zero", "f32 f16"),
    "sign": ("the sign, of a zero the zero, of NaN NaN", "f32 bf16"),
    "sqrt": ("correctly rounded; of a negative number NaN, of -0 itself", "f32 f16 f64"),
    "real": ("a real number is its real part", "f32"),
    "imag": ("a real number has the imaginary part 0", "f32"),
}
HALVES = [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, -0.49999997, 8388609.0, -0.0, 1e10, INF, NAN]
DIRECTIONS = ("EQ", "NE", "GE", "GT", "LE", "LT")
# Arguments at which a function's value is a number of the type: no implementation need approximate it.
EXACT_POINTS = {
    "exponential": [0.0, -0.0, INF, -INF, NAN],
    "exponential_minus_one": [0.0, -0.0, INF, -INF, NAN],
    "log": [1.0, 0.0, INF, -1.0, NAN],
    "log_plus_one": [0.0, -0.0, -1.0, INF, -2.0, NAN],
    "logistic": [0.0, INF, -INF, NAN],
    "tanh": [0.0, -0.0, INF, -INF, NAN],
    "sine": [0.0, -0.0, INF, NAN],
    "cosine": [0.0, -INF, NAN],
    "tan": [0.0, -0.0, INF, NAN],
    "rsqrt": [4.0, 0.25, 1.0, 0.0, -0.0, INF, -1.0, NAN],
    "cbrt": [0.0, -0.0, INF, -INF, NAN],
}


def operations() -> Iterator[Operation]:
    yield from integers()
    yield from floats()
    yield from comparisons()
    yield from complexes()
    yield from quantized()


def on_pairs(
    family: str, name: str, type: str, clause: str, result: str = "", label: str = "", **more: object
):
    """An operation on every pair of edges of a type."""
    (t,) = types(f"1x{type}")
    left, right = pairs(t)
    shape = f"{len(left)}x"
    text = program(op(name, f"{shape}{type}; {shape}{type} -> {shape}{result or type}", **more))
    label = label or f"{name}_{type.replace('<', '_').strip('>')}"
    return Operation(family, label, f"{name}: {clause}", EDGES, text, [left, right])


def on_values(
    family: str, name: str, type: str, clause: str, values: list, result: str = "", label: str = "", **more
) -> Operation:
    shape = f"{len(values)}x"
    text = program(op(name, f"{shape}{type} -> {shape}{result or type}", **more))
    label = label or f"{name}_{type.replace('<', '_').strip('>')}"
    return Operation(family, label, f"{name}: {clause}", "Values at the edges of the type.", text, [values])


def integers() -> Iterator[Operation]:
    for name, (clause, elements) in BINARY.items():
        for element in elements.split():
            yield on_pairs("integer", name, element, clause)
    for name, clause in BOOLEAN.items():
        yield on_pairs("integer", name, "i1", clause)
    for name, (clause, elements) in UNARY.items():
        for element in elements.split():
            yield on_values("integer", name, element, clause, edges(*types(f"1x{element}")))
    for element in ("i8", "ui8", "i1"):
        low, high = pairs(*types(f"1x{element}"))
        values = drawn(f"clamp {element}", *types(f"{len(low)}x{element}"))
        n = f"{len(low)}x{element}"
        for label, bound, args in (
            ("", n, [low, values, high]),
            ("_scalar", element, [[edges(*types(f"1x{element}"))[1 if element == "i8" else 0]], values, [1]]),
        ):
            text = program(op("clamp", f"{bound}; {n}; {bound} -> {n}"))
            why = "Where the bounds cross, the greater one wins last: minimum after maximum."
            yield Operation(
                "integer", f"clamp_{element}{label}", "clamp: minimum(maximum(x, min), max)", why, text, args
            )


def floats() -> Iterator[Operation]:
    for name, (clause, elements) in FLOAT_BINARY.items():
        for element in elements.split():
            yield on_pairs("float", name, element, clause)
    for name, (clause, elements) in FLOAT_UNARY.items():
        for element in elements.split():
            values = edges(*types(f"1x{element}")) + HALVES
            yield on_values("float", name, element, clause, values)
    for element in ("f32", "f16"):
        values = edges(*types(f"1x{element}"))
        yield on_values("float", "is_finite", element, "neither infinite nor NaN", values, "i1")
        low, high = pairs(*types(f"1x{element}"))
        n = f"{len(low)}x{element}"
        text = program(op("clamp", f"{n}; {n}; {n} -> {n}"))
        middle = drawn(f"clamp {element}", *types(n))
        clause, why = (
            "clamp: minimum(maximum(x, min), max)",
            "NaN bounds, crossing bounds, zeros of both signs.",
        )
        yield Operation("float", f"clamp_{element}", clause, why, text, [low, middle, high])
        yield Operation("float", f"clamp_{element}_values", clause, why, text, [low, high, middle])
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (5, 2), (3, 0), (11, 52), (2, 23)):
        for element in ("f32", "f64", "f16"):
            values = edges(*types(f"1x{element}"))
            values += [17.0, 18.0, 19.0, 0.01, 240.0, 248.0, 65520.0, 3.0, 6.0, -3.0, 1.0625, 1.1875]
            yield on_values(
                "float",
                "reduce_precision",
                element,
                "round the mantissa, then overflow to infinity and underflow to zero (erratum E26)",
                values,
                label=f"reduce_precision_{element}_e{exponent}m{mantissa}",
                exponent_bits=exponent,
                mantissa_bits=mantissa,
            )
    for name, points in EXACT_POINTS.items():
        for element in ("f32", "f16", "f64"):
            clause = "exact where the value is a number, limits at infinity, NaN outside of the domain"
            yield on_values("float", name, element, clause, points)
    pairs_of = {"power": [(2.0, 10.0), (0.5, -3.0), (-2.0, 3.0), (9.0, 1.0), (7.0, 0.0), (-1.5, NAN)]}
    pairs_of["atan2"] = [(0.0, 1.0), (-0.0, 2.0), (0.0, 0.0), (NAN, 1.0), (1.0, NAN)]
    for name, points in pairs_of.items():
        n = f"{len(points)}x"
        for element in ("f32", "f16", "f64"):
            text = program(op(name, f"{n}{element}; {n}{element} -> {n}{element}"))
            why = "Arguments at which the value is a number of the type."
            left, right = [a for a, _ in points], [b for _, b in points]
            yield Operation("float", f"{name}_{element}", f"{name}: exact values", why, text, [left, right])


def comparisons() -> Iterator[Operation]:
    for direction in DIRECTIONS:
        for element in ("i8", "ui8", "i1", "f32", "bf16"):
            clause = f"{direction}; a NaN is not equal to, below or above anything"
            more = {"comparison_direction": direction}
            label = f"compare_{direction.lower()}_{element}"
            yield on_pairs("choice", "compare", element, clause, "i1", label, **more)
        for element in ("f32", "f16"):
            more = {"comparison_direction": direction, "compare_type": "TOTALORDER"}
            clause = f"{direction} in TOTALORDER: -0 < +0, NaN above everything (erratum E24)"
            label = f"compare_{direction.lower()}_{element}_total"
            yield on_pairs("choice", "compare", element, clause, "i1", label, **more)
        for label, left, right in (
            ("", "i8:f32, 0.5:3", "i8:f32, 0.5:3"),
            ("_scales", "i8:f32, 0.5:3", "i8:f32, 0.25:-1"),
            ("_f16", "i16:f16, 1.0", "i16:f16, 1.0"),
        ):
            a, b = (f"!quant.uniform<{text}>" for text in (left, right))
            x, y = pairs(*types(f"1x{a}"))
            if label == "_f16":
                x, y = [2048, 2049, 2050, 4097, -2049, 5], [2049, 2048, 2051, 4096, -2048, 5]
            n = f"{len(x)}x"
            text = program(op("compare", f"{n}{a}; {n}{b} -> {n}i1", comparison_direction=direction))
            yield Operation(
                "choice",
                f"compare_{direction.lower()}_quantized{label}",
                "compare: quantized operands are dequantized first",
                "Equal stored integers are other numbers, and equal numbers other integers.",
                text,
                [x, y],
            )
    for element in ("i8", "f32", "i1", "complex<f32>", "!quant.uniform<i8:f32, 0.5:3>"):
        name = "quantized" if "quant" in element else element.replace("<", "_").strip(">")
        for pred, label in (("6xi1", ""), ("i1", "_scalar")):
            text = program(op("select", f"{pred}; 6x{element}; 6x{element} -> 6x{element}"))
            args = [
                [True, False, False, True, False, True] if label == "" else [False],
                drawn("on_true", *types(f"6x{element}")),
                drawn("on_false", *types(f"6x{element}")),
            ]
            why = "Each element by its own predicate, or all by one."
            yield Operation(
                "choice", f"select_{name}{label}", "select: pred ? on_true : on_false", why, text, args
            )
    q = "!quant.uniform<i16:bf16, 0.3>"
    text = program(op("select", f"6xi1; 6x{q}; 6x{q} -> 6x{q}"))
    args = [[True, False] * 3, [-1000, 999, 513, 1027, 3, -7], [4099, -513, 8, 12345, -30000, 777]]
    why = "A choice is quantized again, which can change it: 1027 comes back as another integer."
    clause = "select: quantized operands are dequantized, the choice quantized"
    yield Operation("choice", "select_requantizes", clause, why, text, args)


def complexes() -> Iterator[Operation]:
    element = "complex<f32>"
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum"):
        yield on_pairs(
            "complex_number", name, element, "by its parts, each operation rounded once (erratum E22)"
        )
    for name in ("abs", "negate", "sign", "real", "imag"):
        result = "f32" if name in ("abs", "real", "imag") else element
        values = [
            3 + 4j,
            -5 + 12j,
            0j,
            complex(-0.0, 2.0),
            complex(INF, -1),
            1 + 1j,
            complex(0.1, 0.2),
            -2 + 0j,
        ]
        clause = "of the number, not of its parts (erratum E22)"
        yield on_values("complex_number", name, element, clause, values, result)
    for direction in DIRECTIONS:
        label = f"compare_{direction.lower()}_complex"
        clause = f"{direction} of complex numbers, lexicographic"
        more = {"comparison_direction": direction, "compare_type": "FLOAT"}
        yield on_pairs("complex_number", "compare", element, clause, "i1", label, **more)
    for part, whole in (("f32", "complex<f32>"), ("f64", "complex<f64>")):
        n = len(edges(*types(f"1x{part}")))
        text = program(op("complex", f"{n}x{part}; {n}x{part} -> {n}x{whole}"))
        args = [edges(*types(f"1x{part}")), edges(*types(f"1x{part}"))[::-1]]
        yield Operation(
            "complex_number", f"complex_{part}", "complex: real and imaginary part", EDGES, text, args
        )
    low, high = pairs(*types("1xcomplex<f32>"))
    n = f"{len(low)}x{element}"
    middle = drawn("complex clamp", *types(n))
    text = program(op("clamp", f"{n}; {n}; {n} -> {n}"))
    why = "The real part decides, of equal ones the imaginary part."
    yield Operation("complex_number", "clamp_complex", "clamp: lexicographic", why, text, [low, middle, high])


QUANTIZED = {
    "add": 2,
    "subtract": 2,
    "multiply": 2,
    "divide": 2,
    "remainder": 2,
    "maximum": 2,
    "minimum": 2,
    "clamp": 3,
    "abs": 1,
    "negate": 1,
    "ceil": 1,
    "floor": 1,
    "sign": 1,
    "sqrt": 1,
    "round_nearest_even": 1,
    "round_nearest_afz": 1,
    "exponential": 1,
    "exponential_minus_one": 1,
    "log": 1,
    "log_plus_one": 1,
    "logistic": 1,
    "tanh": 1,
    "sine": 1,
    "cosine": 1,
    "tan": 1,
    "rsqrt": 1,
    "cbrt": 1,
}
AWAY = (
    "ties rounded away from zero",
    "zero point added after rounding, as ONNX",
    "wrapped instead of saturated",
)
FORMS = {
    "": ("i8:f32, 0.5:3", "i8:f32, 0.25:-7", "i8:f32, 1.0:1"),
    "_u8": ("u8:f32, 0.05:128", "u8:f32, 0.1:10", "u8:f32, 0.3:100"),
    "_f16": ("i8<-100:90>:f16, 0.3:-20", "i8<-100:90>:f16, 0.7:5", "i8<-100:90>:f16, 0.11:9"),
}


def quantized() -> Iterator[Operation]:
    """Dequantize each operand with its own parameters, operate, quantize."""
    for name, arity in QUANTIZED.items():
        for label, forms in FORMS.items():
            if label == "_f16" and arity == 1:
                continue
            a, b, c = (f"!quant.uniform<{text}>" for text in forms)
            operands = [a, b, a][:arity]
            args = [drawn(f"{name}{label}{k}", *types(f"40x{t}")) for k, t in enumerate(operands)]
            text = program(op(name, f"{'; '.join(f'40x{t}' for t in operands)} -> 40x{c}"))
            why = "Operands and result have scales and zero points of their own; results saturate."
            clause = f"{name}: dequantize_op_quantize"
            yield Operation("quantized", f"{name}{label}", clause, why, text, args)
    a, b, c = (f"!quant.uniform<{text}>" for text in FORMS[""])
    text = program(op("clamp", f"{a}; 40x{b}; {a} -> 40x{c}"))
    args = [[-5], drawn("clamp scalar", *types(f"40x{b}")), [20]]
    why = "One bound for all, in another scale than the operand."
    yield Operation("quantized", "clamp_scalar", "clamp: dequantize_op_quantize", why, text, args)
    text = program(op("is_finite", f"40x{a} -> 40xi1"))
    why = "Every stored number is finite."
    args = [drawn("finite", *types(f"40x{a}"))]
    yield Operation("quantized", "is_finite", "is_finite: of the dequantized number", why, text, args)
