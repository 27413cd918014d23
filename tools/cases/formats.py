"""Cases by hand on floats of 8 bits and on complex numbers."""

from __future__ import annotations

from collections.abc import Iterator

from cases.drafts import NARROW, Draft
from cases.worked import INF, NAN, reduce, scatter, windows

F8, WIDE_F8, COMPLEX = "f8E4M3FN", "f8E5M2", "complex<f32>"
STEPWISE = "every float operation rounds once, in its own type"
ONCE = "accumulated in f32 and rounded once"
UNEVEN = [
    16.0,
    1.0,
    16.0,
    1.0,
    16.0,
    1.0,
]  # 17 is halfway between 16 and 18: every 1 is lost, in any schedule


def reductions() -> Iterator[Draft]:
    yield Draft(
        "stepwise_f8E4M3FN",
        STEPWISE,
        "Four significant bits hold no 17: each sum of 16 and 1 is 16 again, in any schedule.",
        reduce((6,), F8),
        [UNEVEN, 0.0],
        [48.0],
        "16 + 16 + 16; 51 would round to 52.",
        wrong=[(ONCE, [52.0])],
    )
    yield Draft(
        "widened_floats_f8E4M3FN",
        "promotion: a float of 8 bits in an f32 accumulator",
        "The result is of the accumulation type, which loses nothing.",
        reduce((6,), F8, "f32"),
        [UNEVEN, 0.0],
        [51.0],
        "3 * 17.",
        [NARROW],
    )
    yield Draft(
        "overflow_f8E4M3FN",
        "f8E4M3FN has no infinity: what overflows is NaN",
        "The largest number is 448; a sum beyond it is not clamped there.",
        reduce((2,), F8),
        [[448.0, 64.0], 0.0],
        [NAN],
        "512 is beyond 448 by more than half of a step of 32.",
        wrong=[("saturated at the largest number", [448.0])],
    )
    yield Draft(
        "overflow_f8E5M2",
        "f8E5M2 has infinities, which a sum beyond its largest number is",
        "The largest number is 57344.",
        reduce((2,), WIDE_F8),
        [[57344.0, 8192.0], 0.0],
        [INF],
        "65536 is beyond 57344 by a whole step of 8192.",
        wrong=[("saturated at the largest number", [57344.0]), ("NaN, as f8E4M3FN", [NAN])],
    )
    yield Draft(
        "maximum_f8E5M2",
        "maximum: of numbers, not of their bits",
        "All are negative: their bits, as unsigned integers, are in the opposite order.",
        reduce((2,), WIDE_F8, combine="maximum"),
        [[-2.0, -1.0], -INF],
        [-1.0],
        "-1 > -2 > -inf.",
        wrong=[("the largest bits, unsigned", [-INF])],
    )
    yield Draft(
        "nan_f8E4M3FN",
        "maximum: NaN propagates",
        "A format without infinities has a NaN.",
        reduce((3,), F8, combine="maximum"),
        [[1.0, NAN, 2.0], 0.0],
        [NAN],
        "whatever meets a NaN is NaN.",
        wrong=[("NaN ignored", [2.0])],
    )
    yield Draft(
        "sum_of_complex",
        "complex numbers add part by part",
        "Three numbers and zero.",
        reduce((3,), COMPLEX),
        [[1 + 2j, 3 + 4j, -2 + 1j], 0j],
        [2 + 7j],
        "1 + 3 - 2 and 2 + 4 + 1.",
        wrong=[("the conjugate", [2 - 7j]), ("parts swapped", [7 + 2j]), ("the real part alone", [2 + 0j])],
    )
    yield Draft(
        "product_of_complex",
        "complex numbers multiply as such (erratum E22)",
        "Small integers, exact in any schedule.",
        reduce((2,), COMPLEX, combine="multiply"),
        [[1 + 2j, 3 + 4j], 1 + 0j],
        [-5 + 10j],
        "1 * 3 - 2 * 4 and 1 * 4 + 2 * 3.",
        wrong=[("part by part", [3 + 8j]), ("one factor conjugated", [11 - 2j])],
    )
    yield Draft(
        "maximum_of_complex",
        "maximum: lexicographic for complex numbers",
        "The real part decides, of equal ones the imaginary part.",
        reduce((3,), COMPLEX, combine="maximum"),
        [[2 + 1j, 2 + 3j, 1 + 9j], -9 + 0j],
        [2 + 3j],
        "2 > 1, and of (2, 1) and (2, 3) the second.",
        wrong=[
            ("part by part", [2 + 9j]),
            ("by magnitude", [1 + 9j]),
            ("the first of equal real parts", [2 + 1j]),
        ],
    )


def window_reductions() -> Iterator[Draft]:
    yield Draft(
        "stepwise_f8E4M3FN",
        STEPWISE,
        "Windows of six and of four: each sum of 16 and 1 is 16 again.",
        windows(8, 2, 6, F8, strides=2),
        [[*UNEVEN, 16.0, 1.0], 0.0],
        [[48.0, 48.0]],
        "16 + 16 + 16; 51 would round to 52.",
        wrong=[(ONCE, [[52.0, 52.0]])],
    )
    yield Draft(
        "sum_of_complex",
        "reduce_window: complex numbers, padding with the init value",
        "The init value has an imaginary part, and stands where the padding is, too.",
        windows(2, 2, 2, COMPLEX, padding=((1, 0),)),
        [[1 + 2j, 3 + 4j], 1j],
        [[1 + 4j, 4 + 7j]],
        "i + i + (1 + 2i), and i + (1 + 2i) + (3 + 4i).",
        wrong=[("parts swapped", [[4 + 1j, 7 + 4j]])],
    )


def scatters() -> Iterator[Draft]:
    yield Draft(
        "stepwise_f8E4M3FN",
        STEPWISE,
        "Six windows select one element; each sum of 16 and 1 is 16 again.",
        scatter(11, 6, 6, F8),
        [[0.0] * 5 + [9.0] + [0.0] * 5, UNEVEN, 0.0],
        [[0.0] * 5 + [48.0] + [0.0] * 5],
        "16 + 16 + 16; 51 would round to 52.",
        wrong=[(ONCE, [[0.0] * 5 + [52.0] + [0.0] * 5])],
    )
    yield Draft(
        "select_f8E5M2",
        "select_and_scatter: numbers are compared, not their bits",
        "-1 is the larger of two negative numbers.",
        scatter(2, 1, 2, WIDE_F8),
        [[-2.0, -1.0], [4.0], 0.0],
        [[0.0, 4.0]],
        "-1 >= -2.",
        wrong=[("the largest bits, unsigned", [[4.0, 0.0]])],
    )
