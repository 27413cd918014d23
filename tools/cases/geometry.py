"""Cases of reductions over geometry drawn from a seed, of types at the edges of exact addition, and of
operands, init values and results of types of their own."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from cases.operations import Operation, drawn, types
from cases.programs import Shape, Spec
from cases.programs import program as reduction
from cases.worked import AFFINE, ARGMAX

Q, WIDE = "i8:f32, 0.5:3", "i32:f32, 0.25:-2"
BODIES: dict[str, tuple[Sequence[str], Sequence[str], str]] = {
    "sum": (["i32"], ["i32"], "add"),
    "affine": (["i32", "i32"], ["i32", "i32"], AFFINE),
    "promoted": ([Q], [WIDE], "add"),
    "maximum": (["i8:f32, 0.5"], ["i8:f32, 0.5"], "maximum"),
    "float": (["f32"], ["f32"], "minimum"),
    "argmax": ([Q, "i32"], [Q, "i32"], ARGMAX),
}
WHY = "Sizes, strides, dilations and padding differ from dimension to dimension: none is taken for another."


def operations() -> Iterator[Operation]:
    yield from reduces()
    yield from windows()
    yield from scatters()
    yield from accumulators()
    yield from bounds()
    yield from many()
    yield from results_of_other_types()
    yield from other_bodies()
    yield from runs()


def arguments(name: str, spec: Spec, text: str, spread: int = 5) -> list[Any]:
    """Small numbers; init values are drawn, too."""
    from cases.drafts import module

    inputs = [v.type for v in module(text, "stablehlo").main.inputs]
    return [drawn(f"{name}{k}", t, spread) for k, t in enumerate(inputs)]


def case(
    name: str, clause: str, why: str, spec: Spec, args: Any = None, mode: str = "", **more: Any
) -> Operation:
    text = reduction(spec)
    return Operation(spec.op, name, clause, why, text, args or arguments(name, spec, text), mode=mode, **more)


def reduces() -> Iterator[Operation]:
    shapes: list[tuple[Shape, Shape]] = [
        ((3, 4), (0,)),
        ((2, 3, 4), (0, 2)),
        ((2, 3, 4), (1, 0)),
        ((4, 3, 2), (2, 1, 0)),
        ((2, 2, 3, 2), (3, 1)),
        ((3, 1, 2), (1,)),
        ((17,), (0,)),
    ]
    for body, (inputs, bodies, combine) in BODIES.items():
        for shape, dimensions in shapes:
            kept = tuple(n for d, n in enumerate(shape) if d not in dimensions)
            spec = Spec("reduce", shape, inputs, bodies, kept, combine, dimensions=dimensions)
            name = f"along_{'x'.join(map(str, shape))}_{'_'.join(map(str, dimensions))}_{body}"
            yield case(name, "reduce: the slices along dimensions, in ascending order", WHY, spec)


def count(size: int, low: int, high: int, base: int, span: int, stride: int) -> int:
    padded = max(0, (size - 1) * base + 1 if size else 0) + low + high
    return 0 if padded <= 0 or span > padded else (padded - span) // stride + 1


def windows() -> Iterator[Operation]:
    rng = random.Random(7)
    few = lambda rank, most: tuple(rng.randint(1, most) for _ in range(rank))
    for body, (inputs, bodies, combine) in BODIES.items():
        k = 0
        while k < 8:
            rank = 1 + k % 3
            shape, window, strides = few(rank, 6 - rank), few(rank, 3), few(rank, 3)
            base, dilations = few(rank, 3 if k % 2 else 1), few(rank, 3 if k % 4 > 1 else 1)
            padding = tuple((rng.randint(-1, 2), rng.randint(-1, 2)) for _ in range(rank))
            spans = [(w - 1) * d + 1 for w, d in zip(window, dilations, strict=True)]
            edges = zip(shape, padding, base, spans, strides, strict=True)
            out = tuple(count(n, *pad, b, span, s) for n, pad, b, span, s in edges)
            if not all(out) or max(out) < 2 or len({*shape, *window}) < 2:
                continue
            more = {"base": base, "dilations": dilations, "padding": padding}
            spec = Spec(
                "reduce_window", shape, inputs, bodies, out, combine, window=window, strides=strides, **more
            )
            yield case(
                f"geometry_{body}_{k}", "reduce_window: window_strides, both dilations, padding", WHY, spec
            )
            k += 1
    for body in ("sum", "promoted", "maximum"):  # long windows: running sums pay
        inputs, bodies, combine = BODIES[body]
        for dilation, window in ((1, 9), (2, 7), (1, 16)):
            n = 40 - (window - 1) * dilation
            more = {"window": (window,), "dilations": (dilation,)}
            spec = Spec("reduce_window", (40,), inputs, bodies, (n,), combine, **more)
            clause = "reduce_window: long windows, which overlap"
            why = "Running sums may be used where they give the same."
            yield case(f"long_{body}_{window}_{dilation}", clause, why, spec)


def scatters() -> Iterator[Operation]:
    rng = random.Random(8)
    few = lambda rank, most: tuple(rng.randint(1, most) for _ in range(rank))
    for body in ("sum", "promoted", "maximum", "float"):
        (element,), (wide,), combine = BODIES[body]
        for select in ("GE", "GT", "LE", "LT"):
            k = 0
            while k < 3:
                rank = 1 + k % 3
                shape, window, strides = few(rank, 7 - rank), few(rank, 3), few(rank, 2)
                padding = tuple((rng.randint(-1, 2), rng.randint(-1, 2)) for _ in range(rank))
                edges = zip(shape, padding, window, strides, strict=True)
                source = tuple(count(n, *pad, 1, w, s) for n, pad, w, s in edges)
                if not all(source) or max(source) < 2 or max(window) < 2:
                    continue
                more = {"window": window, "strides": strides, "padding": padding, "source": source}
                spec = Spec(
                    "select_and_scatter", shape, [element], [wide], shape, combine, select=select, **more
                )
                text = reduction(spec)
                name = f"geometry_{body}_{select.lower()}_{k}"
                args = arguments(name, spec, text)
                args[0] = [x % 3 if element != "f32" else float(int(x) % 3) for x in args[0]]  # many ties
                clause = "select_and_scatter: window_strides, padding, ties and overlaps"
                yield case(name, clause, WHY, spec, args)
                k += 1


ACCUMULATORS: dict[str, tuple[str, str, list[int]]] = {
    # the accumulator's type, the elements' (equal where not given), elements
    "f32_power": ("i32:f32, 1.0", "", [16777215, 1, 1, -1, 3]),
    "f32_tenth": ("i32:f32, 0.1", "", [1048575, 1, 1, 524288, 524289, 7]),
    "f32_tenth_above": ("i32:f32, 0.1", "", [16777217, 3, 5, -1, 1, 33554435]),
    "f32_third": ("i32:f32, 0.3:7", "", [12582913, 9, 11, 25165827, -5]),
    "f32_points": ("i32:f32, 1.0:16777217", "", [16777219, 16777218, 5]),
    "f32_points_below": ("i32:f32, 1.0:16777217", "", [16777210, 16777213, 16777216, 16777209]),
    "no_infinity": ("i8<-20:20>:f8E4M3FN, 16.0", "i8:f8E4M3FN, 16.0", [100, 5, -3, 127, 20]),
    "f16_power": ("i16:f16, 1.0", "", [2047, 1, 1, 1]),
    "f16_tenth_i8": ("i16:f16, 0.1", "i8:f16, 0.1", [127, 126, 125, 123, 111, 119, 101, 97, 127, 113]),
    "f16_third_u8": ("i16:f16, 0.3:-7", "u8:f16, 0.3:5", [255, 251, 249, 233, 211, 187, 255, 241, 199]),
    "bf16_seventh_i8": ("i16:bf16, 0.7", "i8:bf16, 0.7", [11, 13, 7, 9, 15, 3, 14, 5]),
    "f16_above": ("i16:f16, 1.0", "", [2048, 1, 1, 3]),
    "f16_tenth": ("i16:f16, 0.1", "", [127, 1, 128, 129, 513, 255, 77]),
    "bf16_tenth": ("i8:bf16, 0.1", "", [15, 16, 17, 31, -33, 63, -3]),
    "bf16_third": ("i16:bf16, 0.3:3", "", [255, 3, 17, 131, 77]),
    "f64": ("i32:f64, 0.1", "", [1073741823, 1073741823, 3, -5]),
    "large_point": ("i16:f16, 1.0:3000", "", [3001, 2999, 3003]),
    "infinite": ("i16:f16, 1000.0", "", [60, 30, -10, 5]),
    "infinite_bf16": ("i8:bf16, 3.0e+38", "", [1, 1, -1, 1]),
    "subnormal_steps": ("i8:f16, 6.1e-05", "", [1, 3, 100, 27, 127]),
    "saturating": ("i8:f32, 0.5", "", [100, 100, -120, -120, -120, 100]),
    "saturating_point": ("i8:f32, 0.5:-100", "", [0, 0, -128, -100, 27]),
    "saturating_range": ("i8<-50:60>:f32, 0.5:7", "", [50, 60, -50, -50, -50, 60]),
    "saturating_u8": ("u8:f32, 0.5:128", "", [250, 250, 3, 0, 0, 255]),
    "saturating_tenth": ("i8:f32, 0.1:5", "", [100, 100, -120, -120, -120, 100]),
    "saturating_i32": ("i32:f32, 65536.0", "", [2147483520, 2147483520, -2147483648, -2147483648, 5]),
    "one_bound": ("i32<-2147483647:1000>:f32, 1.0", "", [-2147483647, -2147483647, 999, 999, 5]),
    "other_bound": ("i32<-1000:2147483647>:f32, 1.0", "", [2147483647, 2147483647, -999, -1000]),
    "shifted": ("i32:f32, 0.5:100000", "i8:f32, 0.5:-3", [127, -128, 5, 6, 100]),
    "shifted_u8": ("i16:f32, 0.1:-7", "u8:f32, 0.1:128", [255, 0, 128, 129, 7]),
    "rescaled": ("i32:f32, 0.01:9", "i8:f32, 0.3:-3", [127, -128, 5, 6, 100]),
    "wide_leaves": ("i32:f32, 0.5", "i16:f32, 0.25:3", [32767, -32768, 5, 6, 7]),
    "other_sign": ("i16:f32, 0.5", "u8:f32, 0.5:10", [255, 200, 3, 0]),
    "narrow_range": ("i32<-300:300>:f32, 0.5", "i8:f32, 0.5", [127, 127, 127, -128, -128, -128]),
    "i2": ("i2:f32, 1.0", "", [1, 1, -2, -2, 1]),
    "u2": ("u2:f32, 1.0:1", "", [3, 3, 0, 0, 2]),
    "i4": ("i4:f32, 0.3:-2", "", [7, 7, -8, -8, 1]),
}


def accumulators() -> Iterator[Operation]:
    """Sums and extremes in types where addition is that of integers, or is just not."""
    for name, (wide, narrow, column) in ACCUMULATORS.items():
        element = narrow or wide
        E = types(f"!quant.uniform<{element}>")[0].quantized_element_type
        least, most = E.storage_min, E.storage_max
        clamp = lambda x, least=least, most=most: min(max(x, least), most)
        mirrored = [clamp(2 * E.zero_points[0] - x) for x in column]
        last = column if name.endswith("below") else mirrored
        rows = [*column, *column[::-1], *column[1:], column[0], *last]
        n = len(column)
        for combine in ("add", "maximum", "minimum"):
            beside = E.zero_points[0] + (-1 if name.endswith("below") else 1)
            init = clamp(beside if combine == "add" else column[0])
            spec = Spec("reduce", (4, n), [element], [wide], (4,), combine, dimensions=(1,))
            clause = f"{combine}: dequantize, {combine}, quantize at every step, whatever the type"
            why = "Integer arithmetic is the same up to a bound of the expressed type, and not beyond."
            yield case(f"accumulator_{name}_{combine}", clause, why, spec, [rows, [init]])
            if combine != "add":
                continue
            out = n - 1
            spec = Spec("reduce_window", (n,), [element], [wide], (out,), combine, window=(2,))
            yield case(f"accumulator_{name}", clause, why, spec, [column, [init]])
            more = {"window": (n,), "padding": ((n - 1, n - 1),), "source": (2 * n - 1,)}
            spec = Spec("select_and_scatter", (n,), [element], [wide], (n,), combine, **more)
            operand = [clamp(E.zero_points[0])] * n
            operand[n // 2] = most
            sources = [*column, *column[:-1]]
            yield case(f"accumulator_{name}", clause, why, spec, [operand, sources, [init]])


INITS: dict[str, tuple[str, str, str, str, list[int], int]] = {
    # input, init, body, op, elements, init value
    "maximum_of_init": ("i8:bf16, 1.0", "i16:bf16, 1.0", "i16:bf16, 1.0", "maximum", [5, 7, -3], 1001),
    "maximum_of_scaled_init": ("i8:f16, 0.5", "i16:f16, 0.3", "i16:f16, 0.1", "maximum", [5, 7, -3], 3333),
    "minimum_of_init": ("i8:bf16, 1.0", "i16:bf16, 1.0", "i16:bf16, 1.0", "minimum", [5, 7, -3], -1001),
    "maximum_of_input": ("i16:bf16, 1.0", "i8:bf16, 1.0", "i16:bf16, 1.0", "maximum", [1001, 7, -3], 5),
    "sum_shifted_init": ("i8:f32, 0.5:3", "i8:f32, 0.5:-7", "i32:f32, 0.5", "add", [5, 7, -3], 100),
    "sum_shifted_init_i16": ("i8:f32, 0.5:3", "i8:f32, 0.5:-7", "i16:f32, 0.5:9", "add", [5, 7, -3], 100),
    "sum_scaled_init": ("i8:f32, 0.5:3", "i8:f32, 0.3:-7", "i16:f32, 0.1", "add", [5, 7, -3], 100),
    "sum_wide_init": ("i8:f32, 0.5", "i32:f32, 0.5", "i32:f32, 0.5", "add", [5, 7, -3], 8388609),
    "sum_init_beyond": ("i8:f32, 0.1", "i32:f32, 0.1", "i32:f32, 0.1", "add", [5, 7, -3], 16777219),
}


def bounds() -> Iterator[Operation]:
    """Init values of a type of their own, which only jaxlib's verifier accepts (erratum E12)."""
    for name, (element, init, wide, combine, column, value) in INITS.items():
        clause = "to_destination_type: init from its own type (erratum E12)"
        why = "What holds of the elements' type need not hold of the init value's."
        common = {"inits": [init]}
        spec = Spec("reduce", (3,), [element], [wide], (), combine, dimensions=(0,), **common)
        yield case(f"init_{name}", clause, why, spec, [column, [value]], "mlir")
        more = {"window": (2,), "padding": ((1, 1),)}
        spec = Spec("reduce_window", (3,), [element], [wide], (4,), combine, **more, **common)
        yield case(f"init_{name}", clause, why, spec, [column, [value]], "mlir")
        spec = Spec("select_and_scatter", (3,), [element], [wide], (3,), combine, **common)
        spec = spec._replace(window=(2,), source=(2,))
        yield case(f"init_{name}", clause, why, spec, [column, column[:2], [value]], "mlir")


MANY = """module {{
  func.func @main(%factor: tensor<i32>, %init: tensor<{element}>) -> tensor<{result}> {{
    %i = "stablehlo.iota"() {{iota_dimension = 0 : i64}} : () -> tensor<{n}xi32>
    %f = "stablehlo.broadcast_in_dim"(%factor) {{broadcast_dimensions = array<i64>}}
      : (tensor<i32>) -> tensor<{n}xi32>
    %m = stablehlo.multiply %i, %f : tensor<{n}xi32>
    %b = stablehlo.convert %m : (tensor<{n}xi32>) -> tensor<{n}xi8>
    %r = stablehlo.reshape %b : (tensor<{n}xi8>) -> tensor<{shape}xi8>
    %x = {cast}
    %0 = "stablehlo.reduce"(%x, %init) ({{
    ^bb0(%lhs: tensor<{body}>, %rhs: tensor<{body}>):
      %s = stablehlo.{combine} %lhs, %rhs : tensor<{body}>
      stablehlo.return %s : tensor<{body}>
    }}) {{dimensions = array<i64: {dimensions}>}}
      : (tensor<{shape}x{element}>, tensor<{element}>) -> tensor<{result}>
    func.return %0 : tensor<{result}>
  }}
}}
"""


def many() -> Iterator[Operation]:
    """Hundreds of leaves, made inside of the program."""
    kinds = {
        "exact": ("!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i32:f32, 0.5>"),
        "tenth": ("!quant.uniform<i8:f32, 0.1:3>", "!quant.uniform<i32:f32, 0.1>"),
        "saturating": ("!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8:f32, 0.5:3>"),
        "rounding": ("!quant.uniform<i8:f32, 0.3:3>", "!quant.uniform<i16:f32, 0.07:-9>"),
    }
    shapes = {"row": ("600", "0", ""), "columns": ("150x4", "0", "4x")}
    for kind, (element, body) in kinds.items():
        for layout, (shape, dimensions, kept) in shapes.items():
            for combine in ("add", "maximum") if layout == "row" else ("add",):
                if element == "i8":
                    cast = f"stablehlo.optimization_barrier %r : tensor<{shape}xi8>"
                else:
                    cast = f'"quant.scast"(%r) : (tensor<{shape}xi8>) -> tensor<{shape}x{element}>'
                fields = {"shape": shape, "dimensions": dimensions, "combine": combine, "cast": cast}
                text = MANY.format(n=600, element=element, body=body, result=f"{kept}{body}", **fields)
                name = f"hundreds_{kind}_{layout}" + ("" if combine == "add" else f"_{combine}")
                clause = "exec(schedule): every element is a leaf, hundreds of them, too"
                why = "Sums of blocks, of vectors and of what is left over."
                yield Operation("reduce", name, clause, why, text, [[37], [3]])


def results_of_other_types() -> Iterator[Operation]:
    """Results that differ from the body in scale and zero point, which only jaxlib accepts (erratum E14)."""
    for name, body, result in (
        ("scale", "i32:f32, 0.25", "i32:f32, 0.7:-3"),
        ("point", "i32:f32, 0.25", "i32:f32, 0.25:100"),
        ("saturates", "i8:f32, 0.5:3", "i8:f32, 0.05:3"),
    ):
        clause = "to_destination_type(accumulator, result type) (erratum E14)"
        why = "The stored integer of the body's type means another number in the result's."
        common: dict[str, Any] = {"results": [result]}
        spec = Spec("reduce", (2, 3), ["i8:f32, 0.5:3"], [body], (2,), dimensions=(1,), **common)
        yield case(f"result_{name}", clause, why, spec, mode="mlir")
        spec = Spec("reduce_window", (5,), ["i8:f32, 0.5:3"], [body], (4,), window=(2,), **common)
        yield case(f"result_{name}", clause, why, spec, mode="mlir")
        spec = Spec("select_and_scatter", (5,), ["i8:f32, 0.5:3"], [body], (5,), **common)
        spec = spec._replace(window=(2,), source=(4,))
        yield case(f"result_{name}", clause, why, spec, mode="mlir")


def other_bodies() -> Iterator[Operation]:
    """Bodies of several operations, and of operations that no shortcut knows."""
    lines = {
        "twice": "r = add a0 b0\ns = add r r\ns",
        "of_one": "r = add a0 a0\nr",
        "other_operand": "r = add b0 b0\nr",
        "reversed": "r = subtract b0 a0\nr",
        "subtract": "subtract",
        "swapped_add": "r = add b0 a0\nr",
        "negated": "r = add a0 b0\ns = negate r\ns",
        "both": "r = maximum a0 b0\ns = minimum r a0\nt = add s b0\nt",
        "compared": "p = compare a0 b0 {LT}\nr = select p b0 a0\nr",
    }
    clause = "the body may be any function; each of its ops rounds"
    for name, combine in lines.items():
        for kind, element, wide in (("quantized", Q, Q), ("promoted", Q, WIDE), ("i32", "i32", "i32")):
            spec = Spec("reduce", (2, 5), [element], [wide], (2,), combine, dimensions=(1,))
            why = "It is neither commutative nor associative, or it is not what it looks like."
            yield case(f"body_{name}_{kind}", clause, why, spec)
            spec = Spec("reduce_window", (6,), [element], [wide], (4,), combine, window=(3,))
            yield case(f"body_{name}_{kind}", clause, why, spec)
    for name in ("and", "or", "xor", "multiply", "minimum", "maximum"):
        for pair in PLAIN.split():
            element, _, wide = pair.partition(":")
            wide = wide or element
            spec = Spec("reduce", (2, 5), [element], [wide], (2,), name, dimensions=(1,))
            label = element if element == wide else f"{element}_{wide}"
            text = reduction(spec)
            why = "Widened before the first operation; unsigned ones are never negative."
            args = arguments(f"{name}{label}", spec, text, 0)
            if name == "multiply" and element != "i1":  # odd factors: the product is not 0
                args = [[x | 1 for x in column] for column in args]
            yield case(f"plain_{name}_{label}", f"{name} of plain integers and booleans", why, spec, args)
    yield Operation(
        "reduce",
        "reshaped_body",
        clause,
        "The body reshapes and calls: it runs element by element.",
        RESHAPED,
        [[1, 2, 3, 4, 5, 100], [3]],
    )


PLAIN = "i4 ui2 i4:i8 i8 ui8 i1 i8:i32 ui8:ui32"  # elements, and what they are accumulated in
RESHAPED = """!q = !quant.uniform<i8:f32, 0.5:3>
module {
  func.func public @main(%x: tensor<2x3x!q>, %init: tensor<!q>) -> tensor<2x!q> {
    %0 = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%lhs: tensor<!q>, %rhs: tensor<!q>):
      %a = stablehlo.reshape %lhs : (tensor<!q>) -> tensor<1x!q>
      %b = stablehlo.reshape %rhs : (tensor<!q>) -> tensor<1x!q>
      %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x!q>, tensor<1x!q>) -> tensor<2x!q>
      %d = "stablehlo.slice"(%c) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>,
        strides = array<i64: 1>} : (tensor<2x!q>) -> tensor<1x!q>
      %e = stablehlo.reshape %d : (tensor<1x!q>) -> tensor<!q>
      %f = func.call @sum(%lhs, %e) : (tensor<!q>, tensor<!q>) -> tensor<!q>
      stablehlo.return %f : tensor<!q>
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!q>, tensor<!q>) -> tensor<2x!q>
    func.return %0 : tensor<2x!q>
  }
  func.func private @sum(%x: tensor<!q>, %y: tensor<!q>) -> tensor<!q> {
    %0 = stablehlo.add %x, %y : tensor<!q>
    func.return %0 : tensor<!q>
  }
}
"""


RUNS = {
    "i8": ("i8:f32, 0.5", "i8:f32, 0.5"),
    "point": ("i8:f32, 0.5:-100", "i8:f32, 0.5:-100"),
    "range": ("i4:f32, 0.5:1", "i8<-20:20>:f32, 0.5:3"),
    "u8": ("u8:f32, 0.5:128", "u8:f32, 0.5:128"),
    "tenth": ("i8:f32, 0.1:5", "i8:f32, 0.1:5"),
    "converted": ("i8:f32, 0.3:5", "i8:f32, 0.7:-5"),
    "wide": ("i8:f32, 0.5:3", "i16<-300:300>:f32, 0.5:7"),
}


def runs() -> Iterator[Operation]:
    """Long sums that saturate at both ends, again and again, or hardly ever."""
    shapes = {"row": ((40,), (0,), ()), "rows": ((3, 17), (1,), (3,)), "columns": ((19, 2), (0,), (2,))}
    for name, (element, wide) in RUNS.items():
        for layout, (shape, dimensions, kept) in shapes.items():
            for spread in (0, 9):
                spec = Spec("reduce", shape, [element], [wide], kept, dimensions=dimensions)
                text = reduction(spec)
                args = arguments(f"{name}{layout}", spec, text, spread)
                label = f"run_{name}_{layout}" + ("" if spread else "_any")
                clause = "add: saturation is part of every step"
                why = "No partial sum may be left out, joined or taken in another schedule without a reason."
                yield Operation("reduce", label, clause, why, text, args)
