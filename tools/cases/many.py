"""Cases by hand on more leaves than a vector has lanes, the rest of which is easily left out."""

from __future__ import annotations

from collections.abc import Iterator

from cases.drafts import Draft
from cases.worked import FINE, I8, reduce, scatter, windows

REST = "the rest after full vectors left out"
WHY = "131 = 128 + 3: a loop over vectors of 4 to 128 lanes leaves three elements over."


def reductions() -> Iterator[Draft]:
    yield Draft(
        "many_elements_sum",
        "exec(schedule): every element is a leaf",
        WHY,
        reduce((131,), I8, FINE),
        [5, 3],
        [524],
        "131 * 1.0 in steps of 0.25.",
        wrong=[(REST, [512]), ("the last element left out", [520])],
    )
    yield Draft(
        "many_elements_maximum",
        "exec(schedule): every element is a leaf",
        WHY + " The last one is the largest.",
        reduce((131,), "i8:f32, 0.5", combine="maximum"),
        [[*range(-128, 2), 7], -128],
        [7],
        "the others rise from -128 to 1.",
        wrong=[(REST, [-1]), ("the last element left out", [1])],
    )
    yield Draft(
        "many_rows",
        "reduce: the first dimension, of more rows than a vector has lanes",
        "67 rows of 3 elements: rows and columns are easily confused.",
        reduce((67, 3), "i8:f32, 1.0", "i32:f32, 1.0", dimensions=(0,)),
        [[[1, 2, 3]] * 67, 0],
        [[67, 134, 201]],
        "67 times each.",
        wrong=[(REST, [[64, 128, 192]]), ("the other dimension", [[6, 6, 6]])],
    )


def window_reductions() -> Iterator[Draft]:
    yield Draft(
        "many_elements",
        "reduce_window: every position of a window is a leaf",
        "Windows of 35 = 32 + 3 elements.",
        windows(37, 2, 35, I8, FINE, strides=2),
        [[*[5] * 36, 13], 3],
        [[140, 156]],
        "35 * 1.0, and 34 * 1.0 + 5.0, in steps of 0.25.",
        wrong=[(REST, [[128, 128]])],
    )


def scatters() -> Iterator[Draft]:
    yield Draft(
        "many_elements",
        "select_and_scatter: every position of a window is compared",
        "A window of 35 = 32 + 3 elements, of which the last is the largest.",
        scatter(35, 1, 35, "i8:f32, 0.5"),
        [list(range(35)), [7], 0],
        [[0] * 34 + [7]],
        "34 is the largest.",
        wrong=[(REST, [[0] * 31 + [7] + [0] * 3])],
    )
    yield Draft(
        "many_sources",
        "select_and_scatter: every source that selected an element is a leaf",
        "All of 35 = 32 + 3 windows select the element that they share.",
        scatter(69, 35, 35, I8, FINE),
        [[3] * 34 + [9] + [3] * 34, 5, 3],
        [[0] * 34 + [140] + [0] * 34],
        "35 * 1.0 in steps of 0.25.",
        wrong=[(REST, [[0] * 34 + [128] + [0] * 34])],
    )
