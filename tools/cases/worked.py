"""Cases by hand: arguments, results and how they come about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cases.drafts import Draft
from cases.programs import Spec

INF, NAN = float("inf"), float("nan")
I8, FINE, COARSE = "i8:f32, 0.5:3", "i32:f32, 0.25", "i8:f32, 1.0"
RAW = "stored integers not converted to the body's type, as StableHLO's passes"
INIT = "init value not converted"
ZERO_PADDING = "padding with stored zeros"
# (a, b) then (c, d) is (ac, bc + d): x -> ax + b, composed; associative, not commutative, identity (1, 0).
AFFINE = "s = multiply a0 b0\nt = multiply a1 b0\nu = add t b1\ns u"
ARGMAX = "p = compare a0 b0 {GE}\nv = select p a0 b0\ni = select p a1 b1\nv i"


def reduce(
    shape: tuple[int, ...], inputs: Any, bodies: Any = None, combine: str = "add", **more: Any
) -> Spec:
    """Over the last dimension, where not said otherwise."""
    inputs = [inputs] if isinstance(inputs, str) else inputs
    bodies = inputs if bodies is None else [bodies] if isinstance(bodies, str) else bodies
    dimensions = more.pop("dimensions", (len(shape) - 1,))
    kept = tuple(n for d, n in enumerate(shape) if d not in dimensions)
    return Spec("reduce", shape, inputs, bodies, kept, combine, dimensions=dimensions, **more)


def windows(
    shape: Any, result: Any, window: Any, inputs: Any, bodies: Any = None, combine: str = "add", **more: Any
) -> Spec:
    """Windows over one dimension (integers) or more (tuples)."""
    inputs = [inputs] if isinstance(inputs, str) else inputs
    bodies = inputs if bodies is None else [bodies] if isinstance(bodies, str) else bodies
    shape, result, window = (x if isinstance(x, tuple) else (x,) for x in (shape, result, window))
    more = {k: (v,) if isinstance(v, int) else v for k, v in more.items()}
    return Spec("reduce_window", shape, inputs, bodies, result, combine, window=window, **more)


def scatter(
    shape: Any, source: Any, window: Any, input: str, body: str = "", combine: str = "add", **more: Any
) -> Spec:
    shape, source, window = (x if isinstance(x, tuple) else (x,) for x in (shape, source, window))
    more = {k: (v,) if isinstance(v, int) else v for k, v in more.items()}
    return Spec(
        "select_and_scatter",
        shape,
        [input],
        [body or input],
        shape,
        combine,
        source=source,
        window=window,
        **more,
    )


def reductions() -> Iterator[Draft]:
    yield Draft(
        "sum_in_wider_type",
        "reduce: fold over [init] + elements in the body's type",
        "The sum of six numbers in an i32 accumulator of another scale.",
        reduce((6,), I8, FINE),
        [[1, 2, 3, 4, 5, 100], 3],
        [194],
        "0.5 * (-2 - 1 + 0 + 1 + 2 + 97) = 48.5 and 48.5 / 0.25 = 194.",
        [RAW, "converted without zero points"],
    )
    yield Draft(
        "empty_slice",
        "reduce: no elements give the converted init value",
        "There is nothing to fold; the result is the init value, but in the body's type.",
        reduce((2, 0), I8, FINE),
        [[[], []], 13],
        [[20, 20]],
        "(13 - 3) * 0.5 = 5.0 and 5.0 / 0.25 = 20.",
        wrong=[("the init value as stored", [[13, 13]]), ("zeros", [[0, 0]])],
    )
    yield Draft(
        "empty_result",
        "reduce: a result without elements",
        "A kept dimension of size zero: there is nothing to compute.",
        reduce((0, 3), I8),
        [[], 3],
        [[]],
        "the result has shape (0).",
    )
    yield Draft(
        "no_dimensions",
        "reduce: without dimensions each element meets the init value",
        "Not a copy: the body still runs once for each element, and both are converted.",
        reduce((2,), I8, "i16:f32, 0.5", dimensions=()),
        [[1, 13], 5],
        [[0, 12]],
        "-1.0 + 1.0 = 0.0 and 5.0 + 1.0 = 6.0, in steps of 0.5.",
    )
    yield Draft(
        "rank_0",
        "reduce: a tensor of rank 0",
        "One element and the init value.",
        reduce((), "f32", dimensions=()),
        [1.5, 2.0],
        [3.5],
        "2.0 + 1.5.",
        wrong=[("the init value alone", [2.0])],
    )
    yield Draft(
        "lexicographic",
        "exec(schedule): elements in ascending lexicographic order of their indices",
        "Affine maps compose to another map in another schedule, and to the same in every tree.",
        reduce((2, 2), ["i32", "i32"], combine=AFFINE, dimensions=(0, 1)),
        [[[2, 3], [1, 2]], [[1, 0], [5, 2]], 1, 0],
        [12, 18],
        "(2,1) (3,0) (1,5) (2,2): (2,1), (6,3), (6,8), (12,18).",
        ["elements in descending order"],
        wrong=[("column-major", [12, 38])],
    )
    yield Draft(
        "lexicographic_quantized",
        "exec(schedule): elements in ascending lexicographic order of their indices",
        "Affine maps over quantized numbers of scale 1 that nothing rounds.",
        reduce(
            (2, 2),
            ["i8:f32, 1.0", "i8:f32, 1.0"],
            ["i16:f32, 1.0", "i16:f32, 1.0"],
            AFFINE,
            dimensions=(1, 0),
        ),
        [[[2, 3], [1, 2]], [[1, 0], [5, 2]], 1, 0],
        [12, 18],
        "as listed in ascending order, however `dimensions` is written.",
        wrong=[("in the order of dimensions", [12, 38])],
    )
    yield Draft(
        "middle_dimension",
        "reduce: dimensions may be any",
        "The dimension in the middle; results keep the order of the others.",
        reduce((2, 2, 2), "i32", dimensions=(1,)),
        [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], 0],
        [[[4, 6], [12, 14]]],
        "1+3, 2+4; 5+7, 6+8.",
        wrong=[("over the last dimension", [[[3, 7], [11, 15]]]), ("transposed", [[[4, 12], [6, 14]]])],
    )
    yield Draft(
        "argmax_ties",
        "reduce: N operands of mixed types fold together",
        "A quantized value decides for an integer index; of equals the left one stays.",
        reduce((2, 4), [I8, "i32"], combine=ARGMAX),
        [[[5, 9, 9, 2], [7, -3, 0, 7]], [[0, 1, 2, 3]] * 2, -128, -1],
        [[9, 7], [1, 0]],
        "9 at 1 and 2, 7 at 0 and 3; GE keeps the left one.",
        wrong=[("the last of equals", [[9, 7], [2, 3]])],
    )
    yield Draft(
        "mixed_promotion",
        "to_destination_type: each operand by its own types",
        "A quantized operand is converted to another scale while an integer one is widened and a float "
        "one stays.",
        reduce((3,), [I8, "i8", "f32"], [FINE, "i32", "f32"]),
        [[5, 7, 103], [100, 100, 100], [0.5, 0.25, 1.0], 3, 0, 0.0],
        [212, 300, 1.75],
        "1.0 + 2.0 + 50.0 in steps of 0.25; 300; 1.75.",
        wrong=[("stored integers", [115, 300, 1.75]), ("i8 accumulator", [212, 44, 1.75])],
    )
    yield Draft(
        "any_of_booleans",
        "reduce: booleans (erratum E6)",
        "A boolean reduction, as jnp.any is lowered.",
        reduce((2, 3), "i1", combine="or"),
        [[[False, True, False], [False, False, False]], False],
        [[True, False]],
        "one true; none.",
        wrong=[("all", [[False, False]])],
    )
    yield Draft(
        "all_of_booleans",
        "reduce: booleans (erratum E6)",
        "A boolean reduction, as jnp.all is lowered.",
        reduce((2, 3), "i1", combine="and"),
        [[[True, True, True], [True, False, True]], True],
        [[True, False]],
        "all true; one false.",
        wrong=[("any", [[True, True]])],
    )
    for name, combine, init in (("maximum", "maximum", -INF), ("minimum", "minimum", INF)):
        yield Draft(
            f"nan_{name}",
            f"{name}: NaN is propagated",
            "IEEE-754's operation, not C's fmax and fmin, which drop NaN.",
            reduce((3,), "f32", combine=combine),
            [[1.0, NAN, 1.0], init],
            [NAN],
            "NaN wherever it stands.",
            wrong=[("NaN dropped, as fmax and fmin", [1.0])],
        )
    yield Draft(
        "zeros_maximum",
        "maximum: -0 < +0",
        "NumPy's maximum keeps whichever comes first.",
        reduce((2, 2), "f32", combine="maximum"),
        [[[-0.0, 0.0], [0.0, -0.0]], -INF],
        [[0.0, 0.0]],
        "+0 is larger.",
        wrong=[("the first of equals", [[-0.0, 0.0]]), ("the last of equals", [[0.0, -0.0]])],
    )
    yield Draft(
        "zeros_minimum",
        "minimum: -0 < +0",
        "NumPy's minimum keeps whichever comes first.",
        reduce((2, 2), "f32", combine="minimum"),
        [[[-0.0, 0.0], [0.0, -0.0]], INF],
        [[-0.0, -0.0]],
        "-0 is less.",
        wrong=[("the first of equals", [[-0.0, 0.0]]), ("the last of equals", [[0.0, -0.0]])],
    )
    yield Draft(
        "negative_zero_sum",
        "add: -0 + -0 = -0",
        "An accumulator that starts from +0 loses the sign.",
        reduce((2,), "f32"),
        [[-0.0, -0.0], -0.0],
        [-0.0],
        "-0 throughout.",
        wrong=[("an accumulator that starts at +0", [0.0])],
    )
    yield Draft(
        "infinities_cancel",
        "add: inf - inf is NaN",
        "Both infinities meet in every schedule.",
        reduce((3,), "f32"),
        [[INF, 1.0, -INF], 0.0],
        [NAN],
        "inf + -inf.",
        wrong=[("infinity", [INF]), ("cancelled", [1.0])],
    )
    yield Draft(
        "overflow_in_order",
        "exec(schedule): the order is the implementation's",
        "From the left the sum overflows f16; where the last two meet first it does not.",
        reduce((3,), "f16"),
        [[60000.0, 60000.0, -60000.0], 0.0],
        [INF],
        "120000 is beyond 65504.",
        wrong=[("saturated", [5504.0])],
    )
    yield Draft(
        "order_of_f16",
        "exec(schedule): the order is the implementation's",
        "From the left every one is lost.",
        reduce((4,), "f16"),
        [[2048.0, 1.0, 1.0, 1.0], 0.0],
        [2048.0],
        "2049 is rounded to 2048, three times.",
    )
    yield Draft(
        "saturating_and_back",
        "add: saturation is part of every step",
        "From the left the sum stays at 127 and comes back from there; no schedule gives the wrapped one.",
        reduce((4,), "i8:f32, 0.5"),
        [[100, 100, 100, -50], 0],
        [77],
        "100, 127, 127, 77.",
        ["wrapped instead of saturated"],
    )
    yield Draft(
        "f32_accumulator",
        "add: the quantized sum goes through the expressed type",
        "An i32 accumulator with f32 expressed holds no odd number above 2^24.",
        reduce((4,), "i32:f32, 1.0"),
        [[16777216, 1, 1, 1], 0],
        [16777216],
        "16777217 is rounded to 16777216, three times.",
        ["accumulated in integers, which wrap at 32 bits, as StableHLO's passes"],
    )
    yield Draft(
        "init_once_or_more",
        "exec(schedule): any number of init values (erratum E9)",
        "The init value is no identity; an implementation that starts every block of 32 from it counts "
        "it three times.",
        reduce((70,), "f32"),
        [1.0, 1.0],
        [71.0],
        "1 + 70.",
        wrong=[("the rest after two blocks of 32 left out", [65.0])],
    )
    yield Draft(
        "captured",
        "the body may capture values",
        "A floor from outside of the body keeps partial sums from falling.",
        reduce((3,), I8, combine="r = add a0 b0\ns = maximum r c0\ns", captured=[I8]),
        [[-7, -7, -7], 3, 3],
        [3],
        "0 - 5 is raised to 0, three times.",
        wrong=[("captured value ignored", [-27])],
    )
    yield Draft(
        "product_wraps",
        "integer multiplication wraps",
        "16 * 16 is 0 in i8.",
        reduce((3,), "i8", combine="multiply"),
        [[16, 16, 3], 1],
        [0],
        "256 is 0.",
        wrong=[("saturated", [127])],
    )
    yield Draft(
        "unsigned_maximum",
        "storage: u8 is unsigned (erratum E11)",
        "200 is the largest; read as signed it is the least.",
        reduce((3,), "u8:f32, 1.0", combine="maximum"),
        [[100, 200, 7], 0],
        [200],
        "200.0.",
        ["unsigned storage read and saturated as signed"],
    )
    yield Draft(
        "i64",
        "i64 has 64 bits",
        "JAX narrows 64-bit integers unless told otherwise.",
        reduce((2,), "i64"),
        [[1099511627776, 1], 0],
        [1099511627777],
        "2^40 + 1.",
        wrong=[("narrowed to i32", [1])],
    )
    yield Draft(
        "f64",
        "f64 has 53 bits",
        "JAX narrows 64-bit floats unless told otherwise.",
        reduce((2,), "f64"),
        [[16777216.0, 1.0], 0.0],
        [16777217.0],
        "2^24 + 1.",
        wrong=[("narrowed to f32", [16777216.0])],
    )
    yield Draft(
        "init_of_another_scale",
        "to_destination_type: init from its own type (erratum E12)",
        "jaxlib's verifier lets the init value have another scale than the inputs.",
        reduce((2,), "i8:f32, 0.5", inits=["i8:f32, 2.0"]),
        [[4, 6], 4],
        [26],
        "2.0 + 3.0 + 8.0 in steps of 0.5.",
        [INIT],
        mode="mlir",
    )
    yield Draft(
        "result_of_another_scale",
        "results of another scale than the body (erratum E14)",
        "jaxlib's verifier accepts it; the number must stay, not the bits.",
        reduce((2,), "i8:f32, 0.5", FINE, results=["i32:f32, 0.5"]),
        [[4, 6], 0],
        [10],
        "5.0 in steps of 0.5.",
        wrong=[("the accumulator's bits", [20])],
        mode="mlir",
    )
    yield Draft(
        "rfc",
        "RFC: a last to_destination_type to the result type (errata E7, E15)",
        "The accumulator is quantized to the result's type; ties go to even.",
        reduce((5, 1), "ui8:f32, 0.5:128", "i32:f32, 0.25:7", results=["ui8:f32, 1.0:64"]),
        [[[148], [108], [255], [0], [129]], 128],
        [[74, 54, 128, 0, 64]],
        "10.0, -10.0, 63.5, -64.0, 0.5; plus 64, 127.5 and 64.5 to even.",
        wrong=[
            ("ties away from zero", [[74, 54, 128, 0, 65]]),
            ("the accumulator's bits", [[47, 0, 255, 0, 9]]),
        ],
        dialect="rfc",
    )


def window_reductions() -> Iterator[Draft]:
    yield Draft(
        "windows_of_two",
        "reduce_window: windows in ascending order",
        "The window's elements and one init value.",
        windows(6, 5, 2, I8),
        [[1, 2, 3, 4, 5, 100], 3],
        [[0, 2, 4, 6, 102]],
        "a + b - 3.",
        [],
        wrong=[("zero points added up", [[3, 5, 7, 9, 105]])],
    )
    for combine, expected in (("add", 15), ("maximum", 10)):
        yield Draft(
            f"body_of_another_scale_{combine}",
            "to_destination_type: elements are converted to the body's type",
            "5.0 and 10.0: StableHLO's passes reuse the stored integers, 39 for the sum and 23 for the "
            "maximum.",
            windows(2, 1, 2, I8, COARSE, combine),
            [[13, 23], 3],
            [[expected]],
            f"0.0, 5.0, 10.0: {expected}.0.",
            [RAW],
        )
    yield Draft(
        "padding_is_init",
        "reduce_window: padding is made of init values (erratum E10)",
        "Init is 5, so padding counts.",
        windows(2, 3, 2, "i32", padding=((1, 1),)),
        [[1, 2], 5],
        [[11, 8, 12]],
        "5+5+1, 5+1+2, 5+2+5.",
        wrong=[("zeros, and no init value", [[1, 3, 2]])],
    )
    yield Draft(
        "padding_converted",
        "reduce_window: padding is converted (erratum E10)",
        "Padding stands for 5.0 in the body's type, too.",
        windows(2, 3, 2, I8, FINE, padding=((1, 1),)),
        [[5, 7], 13],
        [[44, 32, 48]],
        "in steps of 0.25: 20+20+4, 20+4+8, 20+8+20.",
        [RAW, INIT],
        wrong=[("zeros, and no init value", [[4, 12, 8]])],
    )
    yield Draft(
        "only_padding",
        "reduce_window: a window of padding alone",
        "Strides lead past the one element.",
        windows(1, 3, 1, "f32", strides=2, padding=((2, 2),)),
        [[1.0], 5.0],
        [[10.0, 6.0, 10.0]],
        "5+5, 5+1, 5+5.",
        wrong=[("zeros, and no init value", [[0.0, 1.0, 0.0]])],
    )
    yield Draft(
        "negative_padding",
        "reduce_window: negative padding crops",
        "The first and last element belong to no window.",
        windows(5, 2, 2, "i32", padding=((-1, -1),)),
        [[1, 2, 3, 4, 5], 0],
        [[5, 7]],
        "2+3, 3+4.",
        wrong=[("negative padding ignored", [[3, 5]])],
    )
    yield Draft(
        "negative_padding_of_all",
        "reduce_window: no window fits where padding crops more than there is",
        "Two elements less three.",
        windows(2, 0, 1, "i32", padding=((0, -3),)),
        [[1, 2], 7],
        [[]],
        "Nothing.",
    )
    yield Draft(
        "base_dilation",
        "reduce_window: holes of base dilation are init values",
        "Init is 10, so holes count.",
        windows(3, 4, 2, "f32", base=2),
        [[1.0, 2.0, 3.0], 10.0],
        [[21.0, 22.0, 22.0, 23.0]],
        "10+1+10, 10+10+2, 10+2+10, 10+10+3.",
        wrong=[("zeros, and no init value", [[1.0, 2.0, 2.0, 3.0]])],
    )
    yield Draft(
        "base_dilation_converted",
        "reduce_window: holes are converted",
        "Holes stand for 1.0 in the body's type.",
        windows(2, 3, 2, I8, FINE, base=3),
        [[3, 7], 5],
        [[8, 12, 16]],
        "in steps of 0.25: 4+0+4, 4+4+4, 4+4+8.",
        [RAW, ZERO_PADDING],
    )
    yield Draft(
        "window_dilation",
        "reduce_window: window dilation spreads the window",
        "Elements three apart.",
        windows(6, 3, 2, "i32", dilations=3),
        [[1, 2, 3, 4, 5, 6], 0],
        [[5, 7, 9]],
        "1+4, 2+5, 3+6.",
        wrong=[("dilation ignored", [[3, 5, 7]])],
    )
    yield Draft(
        "both_dilations",
        "reduce_window: holes and spread windows together",
        "Taps two apart fall on elements or on holes only.",
        windows(3, 3, 2, "f32", base=2, dilations=2),
        [[1.0, 2.0, 3.0], 0.5],
        [[3.5, 1.5, 5.5]],
        "0.5+1+2, 0.5+0.5+0.5, 0.5+2+3.",
        [ZERO_PADDING],
    )
    yield Draft(
        "cropped_holes",
        "reduce_window: negative padding after base dilation",
        "Cropping takes the first element, not a hole.",
        windows(2, 2, 2, "f32", base=3, padding=((-1, 0),)),
        [[1.0, 2.0], 7.0],
        [[21.0, 16.0]],
        "7+7+7, 7+7+2.",
        [ZERO_PADDING],
    )
    yield Draft(
        "strides",
        "reduce_window: strides",
        "An incomplete window at the end is none.",
        windows(7, 2, 2, "i32", strides=3),
        [[1, 2, 3, 4, 5, 6, 7], 0],
        [[3, 9]],
        "1+2, 4+5.",
        wrong=[("stride ignored", [[3, 5]])],
    )
    yield Draft(
        "cumulative_sum",
        "reduce_window: a window as wide as the input",
        "As jnp.cumsum is lowered.",
        windows(5, 5, 5, I8, "i32:f32, 0.5", padding=((4, 0),)),
        [[4, 5, 6, 7, 8], 3],
        [[1, 3, 6, 10, 15]],
        "1, 2, 3, 4, 5 added up, in steps of 0.5.",
        [RAW],
    )
    yield Draft(
        "empty_result",
        "reduce_window: no window fits",
        "The window is wider than the input: the result has no elements.",
        windows(2, 0, 3, I8),
        [[3, 4], 3],
        [[]],
        "shape (0).",
    )
    yield Draft(
        "empty_input",
        "reduce_window: an input without elements, padded",
        "Every window is padding.",
        windows(0, 2, 2, "f32", padding=((2, 1),)),
        [[], 5.0],
        [[15.0, 15.0]],
        "5+5+5, twice.",
        wrong=[("zeros", [[0.0, 0.0]])],
    )
    yield Draft(
        "two_dimensions",
        "reduce_window: a window's elements in lexicographic order",
        "Affine maps compose to another map in another schedule, and to the same in every tree.",
        windows((2, 3), (1, 2), (2, 2), ["i32", "i32"], combine=AFFINE),
        [[[2, 3, 1], [1, 2, 3]], [[1, 0, 2], [5, 2, 1]], 1, 0],
        [[[12, 18]], [[18, 19]]],
        "(2,1) (3,0) (1,5) (2,2) is (12,18); (3,0) (1,2) (2,2) (3,1) is (3,0), (3,2), (6,6), (18,19).",
        ["elements in descending order"],
        wrong=[("column-major", [[[12, 38]], [[18, 25]]])],
    )
    yield Draft(
        "argmax_ties",
        "reduce_window: N operands of mixed types fold together",
        "Padding of each operand is its own init value.",
        windows(3, 3, 2, [I8, "i32"], combine=ARGMAX, padding=((1, 0),)),
        [[9, 9, 1], [0, 1, 2], -128, -1],
        [[9, 9, 9], [0, 0, 1]],
        "(pad, 9), (9, 9), (9, 1): GE keeps the left one.",
        wrong=[("the last of equals", [[9, 9, 9], [0, 1, 1]])],
    )
    yield Draft(
        "nan_maximum",
        "maximum: NaN is propagated",
        "Every window with NaN gives NaN.",
        windows(4, 3, 2, "f32", combine="maximum"),
        [[1.0, 2.0, NAN, 3.0], -INF],
        [[2.0, NAN, NAN]],
        "two windows hold it.",
        wrong=[("NaN dropped, as fmax", [[2.0, 2.0, 3.0]])],
    )
    yield Draft(
        "captured",
        "the body may capture values",
        "A ceiling from outside of the body.",
        windows(3, 2, 2, I8, combine="r = add a0 b0\ns = minimum r c0\ns", captured=[I8]),
        [[23, 23, 3], 3, 33],
        [[33, 23]],
        "10 + 10 is cut to 15.0, stored 33; 10 + 0.",
        wrong=[("captured value ignored", [[43, 23]])],
    )
    yield Draft(
        "unsigned_maximum",
        "storage: u8 is unsigned (erratum E11)",
        "200 is the largest; read as signed it is the least.",
        windows(3, 2, 2, "u8:f32, 1.0", combine="maximum"),
        [[100, 200, 7], 0],
        [[200, 200]],
        "200.0 in both windows.",
        ["unsigned storage read and saturated as signed"],
    )
    yield Draft(
        "init_of_another_scale",
        "to_destination_type: init from its own type (erratum E12)",
        "jaxlib's verifier lets the init value have another scale than the inputs.",
        windows(2, 1, 2, "i8:f32, 0.5", inits=["i8:f32, 2.0"]),
        [[4, 6], 4],
        [[26]],
        "2.0 + 3.0 + 8.0 in steps of 0.5.",
        [INIT],
        mode="mlir",
    )


def scatters() -> Iterator[Draft]:
    ties = {"GE": ([3, 3, 1], [5, 0, 0], [0, 5, 0]), "GT": ([3, 3, 1], [0, 5, 0], [5, 0, 0])}
    ties |= {"LE": ([1, 1, 3], [5, 0, 0], [0, 5, 0]), "LT": ([1, 1, 3], [0, 5, 0], [5, 0, 0])}
    for select, (operand, expected, other) in ties.items():
        yield Draft(
            f"ties_{select.lower()}",
            "select_and_scatter: select(a, b) ? a : b",
            f"Of equals {select} keeps the {'first' if 'E' in select else 'last'}.",
            scatter(3, 1, 3, "i8:f32, 0.5", select=select),
            [operand, [5], 0],
            [expected],
            "the first two are equal.",
            wrong=[("the other of equals", [other])],
        )
    yield Draft(
        "overlapping",
        "select_and_scatter: scatter folds what falls on one place",
        "Two windows select the same element.",
        scatter(3, 2, 2, "i32"),
        [[1, 9, 1], [10, 20], 1],
        [[1, 31, 1]],
        "1 + 10 + 20; the others keep init.",
        ["scattered values overwrite each other"],
    )
    yield Draft(
        "padding_is_absent",
        "select_and_scatter: positions outside the operand are absent",
        "All numbers are negative: padding with zeros, or with the init value, would be selected.",
        scatter(2, 3, 2, "i32", padding=((1, 1),)),
        [[-5, -3], [1, 2, 4], 0],
        [[1, 6]],
        "windows (-5), (-5, -3), (-3).",
        wrong=[("zeros compete", [[0, 2]])],
    )
    yield Draft(
        "empty_window",
        "select_and_scatter: an empty window scatters nothing (erratum E8)",
        "Two of three windows lie outside.",
        scatter(1, 3, 1, "i32", strides=2, padding=((2, 2),)),
        [[7], [10, 20, 30], 0],
        [[20]],
        "only the window in the middle holds 7.",
        wrong=[("outside windows scatter to the nearest element", [[60]])],
    )
    yield Draft(
        "wider_scatter",
        "to_destination_type: source and init are converted to scatter's type",
        "The sum does not fit i8.",
        scatter(3, 2, 2, I8, "i32:f32, 0.5"),
        [[3, 9, 3], [100, 100], 3],
        [[0, 194, 0]],
        "97 + 97 in steps of 0.5.",
        [RAW, INIT],
        wrong=[("an i8 accumulator", [[0, 124, 0]])],
    )
    yield Draft(
        "nan_is_not_selected",
        "compare: NaN is not GE anything",
        "select(a, b) is false where either is NaN: b survives.",
        scatter(3, 1, 3, "f32"),
        [[1.0, NAN, 2.0], [5.0], 0.0],
        [[0.0, 0.0, 5.0]],
        "1 loses to NaN, NaN to 2.",
        wrong=[("NaN selected, as a maximum would", [[0.0, 5.0, 0.0]])],
    )
    yield Draft(
        "zeros_are_equal",
        "compare: -0 = +0",
        "Of equals GE keeps the first.",
        scatter(2, 1, 2, "f32"),
        [[-0.0, 0.0], [5.0], 0.0],
        [[5.0, 0.0]],
        "-0 >= +0.",
        wrong=[("-0 < +0", [[0.0, 5.0]])],
    )
    yield Draft(
        "select_on_numbers",
        "compare: quantized operands are dequantized first",
        "2049 is 2048.0 in f16: the numbers are equal, though the stored integers are not.",
        scatter(2, 1, 2, "i16:f16, 1.0"),
        [[2048, 2049], [5], 0],
        [[5, 0]],
        "2048.0 >= 2048.0.",
        wrong=[("stored integers compared", [[0, 5]])],
    )
    yield Draft(
        "unsigned_select",
        "storage: u8 is unsigned (erratum E11)",
        "200 is larger than 100, unless read as signed.",
        scatter(2, 1, 2, "u8:f32, 1.0"),
        [[100, 200], [5], 0],
        [[0, 5]],
        "200.0 wins.",
        ["unsigned storage read and saturated as signed"],
    )
    yield Draft(
        "empty_operand",
        "select_and_scatter: no elements",
        "Nothing to select from, nothing to scatter into.",
        scatter(0, 0, 1, I8),
        [[], [], 3],
        [[]],
        "shape (0).",
    )
    yield Draft(
        "no_windows",
        "select_and_scatter: no window fits",
        "Every element is the converted init value.",
        scatter(2, 0, 3, I8, FINE),
        [[3, 4], [], 13],
        [[20, 20]],
        "5.0 in steps of 0.25.",
        wrong=[("the init value as stored", [[13, 13]])],
    )
    yield Draft(
        "negative_padding",
        "select_and_scatter: negative padding crops",
        "9 and 8 belong to no window.",
        scatter(4, 1, 2, "i32", padding=((-1, -1),)),
        [[9, 1, 2, 8], [7], 0],
        [[0, 0, 7, 0]],
        "2 wins over 1.",
        wrong=[("negative padding ignored", [[7, 0, 0, 0]])],
    )
    yield Draft(
        "negative_padding_of_all",
        "select_and_scatter: no window fits where padding crops more than there is",
        "Two elements less three: every element is the init value.",
        scatter(2, 0, 1, "i32", padding=((0, -3),)),
        [[1, 2], [], 7],
        [[7, 7]],
        "Nothing is scattered.",
    )
    yield Draft(
        "two_dimensions",
        "select_and_scatter: ties in lexicographic order",
        "All are equal: the first index of the window.",
        scatter((2, 2), (1, 1), (2, 2), "i8:f32, 0.5"),
        [[[5, 5], [5, 5]], [[7]], 0],
        [[[7, 0], [0, 0]]],
        "(0, 0) comes first.",
        wrong=[("the last of equals", [[[0, 0], [0, 7]]])],
    )
    yield Draft(
        "strides",
        "select_and_scatter: strides",
        "The element between two windows belongs to none.",
        scatter(5, 2, 2, "i32", strides=3),
        [[1, 2, 3, 4, 5], [10, 20], 0],
        [[0, 10, 0, 0, 20]],
        "windows (1, 2) and (4, 5).",
        wrong=[("stride of one window", [[0, 10, 0, 20, 0]])],
    )
    yield Draft(
        "captured",
        "the bodies may capture values",
        "A ceiling from outside of scatter.",
        scatter(3, 2, 2, "i32", combine="r = add a0 b0\ns = minimum r c0\ns", captured=["i32"]),
        [[1, 9, 1], [10, 20], 0, 25],
        [[0, 25, 0]],
        "10 + 20 is cut to 25.",
        wrong=[("captured value ignored", [[0, 30, 0]])],
    )
    yield Draft(
        "select_by_magnitude",
        "select_and_scatter: select is any function",
        "-9 has the larger magnitude.",
        scatter(2, 1, 2, I8, select="x = abs a0\ny = abs b0\np = compare x y {GE}\np"),
        [[-6, 8], [13], 3],
        [[13, 3]],
        "|-4.5| >= |2.5|.",
        wrong=[("values compared", [[3, 13]])],
    )
    yield Draft(
        "maximum_scattered",
        "select_and_scatter: scatter is any function",
        "Of two sources on one place the larger stays.",
        scatter(3, 2, 2, I8, "i16:f32, 0.25", "maximum"),
        [[3, 9, 3], [13, 7], -128],
        [[-262, 20, -262]],
        "5.0 and 2.0; elsewhere the init value -65.5, in steps of 0.25.",
        [RAW, INIT, "scattered values overwrite each other"],
    )
    yield Draft(
        "init_of_another_scale",
        "to_destination_type: init from its own type (erratum E12)",
        "jaxlib's verifier lets the init value have another scale than the source.",
        scatter(2, 1, 2, "i8:f32, 0.5", inits=["i8:f32, 2.0"]),
        [[4, 6], [6], 4],
        [[16, 22]],
        "8.0 alone, and 8.0 + 3.0.",
        [INIT],
        mode="mlir",
    )
