"""The places of leaves, index by index: every small case against its definition."""

from __future__ import annotations

from itertools import chain, pairwise, product
from math import prod

import numpy as np
import pytest

from interp.backends import NUMPY, windows
from interp.backends.windows import Steps, every, inside_of
from interp.kernels import product_leaves

SIZES = range(1, 4)


@pytest.mark.parametrize("sizes", [(), (3,), (0, 2), (2, 1, 3)])
def test_a_grid_is_a_sum_over_dimensions(sizes: tuple[int, ...]) -> None:
    strides = (7, -2, 5)[: len(sizes)]
    found = windows.grid(sizes, strides)
    assert found.shape == sizes
    assert all(found[index] == np.dot(index, strides) for index in np.ndindex(sizes))


def test_digits_are_those_of_row_major_order() -> None:
    """One number or many have digits; a digit of radix 1 is an integer even there."""
    for radices in product((1, 2, 3), repeat=3):
        every = np.arange(prod(radices))
        expected = np.unravel_index(every, radices)
        found = windows.digits(every, radices)
        assert [type(digit) is int for digit in found] == [radix == 1 for radix in radices]
        assert all((digit == column).all() for digit, column in zip(found, expected, strict=True))
        steps = windows.row_major(radices)
        assert [int(np.dot(digits, steps)) for digits in np.ndindex(radices)] == every.tolist()


def test_windows_cover_what_their_tables_say() -> None:
    for size, stride, dilation, start, n in product(SIZES, SIZES, SIZES, (0, 2), SIZES):
        shape = windows.Windows([size], [stride], [dilation])
        places = [[j * stride + k * dilation for j in range(start, start + n)] for k in range(size)]
        box = (slice(start, start + n),)
        (table,) = shape.tables(box)
        assert (len(table), table.whole().tolist()) == (size, places)
        first = [place[0] for place in places]
        assert shape.operand_box(box) == (slice(first[0], places[-1][-1] + 1),)
        assert shape.spans == [first[-1] - first[0] + 1]
        shared = first[-1] >= first[0] + stride
        assert shape.overlaps == [shape.spans[0] if shared else 1]


def test_boxes_are_contiguous_and_as_large_as_they_may_be() -> None:
    """Boxes of no element, and a limit of less than one element, are included."""
    for rank, most in product(range(4), (0, 1, 2, 3, 4, 6, 8, 12, 30)):
        for shape in product((0, 1, 2, 4), repeat=rank):
            index = np.arange(prod(shape)).reshape(shape)
            found = [index[box].ravel().tolist() for box in windows.boxes(shape, [1] * rank, most)]
            assert list(chain(*found)) == index.ravel().tolist()
            assert found
            assert max(map(len, found)) <= max(most, 1)
            larger = [len(a) + len(b) for a, b in pairwise(found)]
            assert not larger or max(larger) > most


def test_boxes_are_no_narrower_than_they_have_to_be() -> None:
    for shape, least, most in product(product((1, 3, 5), repeat=2), product((1, 2, 3), repeat=2), (1, 4, 9)):
        sizes = [[s.stop - s.start for s in box] for box in windows.boxes(shape, least, most)]
        assert sum(map(prod, sizes)) == prod(shape)
        for column, size, narrowest in zip(zip(*sizes, strict=True), shape, least, strict=True):
            assert max(column) >= min(size, narrowest)
            assert len(set(column)) <= 2


def test_indices_in_equal_steps_are_a_slice() -> None:
    every = np.arange(12)
    for row in (row for n in range(4) for row in product(range(4), repeat=n)):
        found = windows.progression(np.array(row, np.int64))
        steps = set(np.diff(row))
        assert isinstance(found, slice) == (len(steps) == 0 or (len(steps) == 1 and min(steps) > 0))
        assert every[found].tolist() == list(row)


def test_an_index_is_covered_by_the_windows_that_hold_it() -> None:
    """Ascending, with the digit it has in each; then -1, at a position that exists."""
    for size, source, window, stride, low in product((0, 1, 4), range(4), SIZES, SIZES, (-1, 0, 2)):
        covered = [
            [(p, i + low - p * stride) for p in range(source) if 0 <= i + low - p * stride < window]
            for i in range(size)
        ]
        position, digit = windows.covering(size, source, window, stride, low)
        most = max(map(len, covered), default=0)
        assert position.shape == digit.shape == (most, size)
        for i, pairs in enumerate(covered):
            absent = most - len(pairs)
            assert digit[:, i].tolist() == [d for _, d in pairs] + [-1] * absent
            assert position[: len(pairs), i].tolist() == [p for p, _ in pairs]
        assert np.isin(position, range(source)).all()


def test_sources_meet_the_digits_of_their_windows() -> None:
    for part, source, window, stride, low in product(
        (slice(0, 1), slice(0, 7), slice(2, 5)), range(5), range(1, 4), range(1, 4), (-1, 0, 2)
    ):
        for digit in range(window):
            sources, there = windows.digit_slices(part, source, digit, stride, (low, 0))
            at = {s: s * stride + digit - low for s in range(source)}
            expected = {s: i - part.start for s, i in at.items() if part.start <= i < part.stop}
            assert list(range(source))[sources] == list(expected)
            assert list(range(part.stop - part.start))[there] == list(expected.values())


TABLE = np.array([[0, 2, 0, 1], [-1, 0, -1, 3], [-1, -1, -1, -1]])


def test_columns_in_groups_find_their_places_again() -> None:
    groups = windows.alike(TABLE)
    assert [group.tolist() for group in groups] == [[0, 2], [1, 3]]
    assert [group.tolist() for group in windows.alike(TABLE[:, :0])] == [[]]
    order = windows.inverse([np.array([2, 0]), np.array([3, 1])])
    assert np.array([2, 0, 3, 1])[order].tolist() == [0, 1, 2, 3]
    for index, rows in (groups[0], 1), (groups[1], 2), (slice(1, 3), 2):
        position, number = windows.columns(TABLE + 10, TABLE, index)
        assert position.tolist() == (TABLE + 10)[:rows, index].tolist()
        assert number.tolist() == TABLE[:rows, index].tolist()


def test_tables_are_numbered_and_narrowed() -> None:
    assert windows.contributions(TABLE, 3, -9).tolist() == [[0, 6, 0, 3], [-9, 0, -9, 9], [-9] * 4]
    assert windows.narrow(TABLE) is TABLE
    assert windows.narrow(TABLE[2:]).tolist() == [[-1]]
    assert windows.narrow(TABLE[:, ::2]).tolist() == [[0], [-1], [-1]]
    assert [every(least <= TABLE) for least in (-1, 0)] == [True, False]


def test_what_is_inside_lies_behind_low_padding() -> None:
    """For one digit, for several, and for all where they are all inside."""
    for columns, step, digits, size, low in product(range(4), (1, 3), (1, 2, 3), range(9), range(-1, 4)):
        table = Steps(np.arange(1, columns + 1), step, digits)
        (found,) = inside_of([table], [size], [(low, 1)])
        places = [[k + 1 + digit * step for k in range(columns)] for digit in range(digits)]
        expected = [[low <= place < low + size for place in row] for row in places]
        assert every(found) == all(chain(*expected))
        rows = product_leaves.combine_rows(NUMPY, np.logical_and, [found], np.arange(digits))
        assert np.broadcast_to(rows, (digits, columns)).tolist() == expected
        for digit, row in enumerate(expected):
            one = product_leaves.combine_rows(NUMPY, np.logical_and, [found], digit)
            assert np.broadcast_to(one, columns).tolist() == row


def test_numbers_fit_the_narrowest_integers() -> None:
    for bits in (8, 16, 32):
        assert windows.integer(2 ** (bits - 1) - 1) == np.dtype(f"i{bits // 8}")
        assert windows.integer(2 ** (bits - 1)) == np.dtype(f"i{bits // 4}")


def test_flat_indices_are_those_of_the_whole() -> None:
    whole = np.arange(24).reshape(2, 3, 4)
    parts = slice(0, 2), np.array([2, 0]), slice(1, 3)
    assert windows.flat(parts, whole.shape).tolist() == whole[:, [2, 0], 1:3].ravel().tolist()


@pytest.mark.parametrize(
    "table",
    [
        [[0, 2, 4], [3, 5, 7], [6, 8, 10]],  # strided windows
        [[5, 4], [3, 2], [1, 0]],  # neither rows nor steps ascend
        [[0, 1, 3], [1, 2, 4]],  # rows are no slices
        [[0, 1], [1, 2], [1, 3]],  # rows are not alike
        [[0, 1], [1, 2], [3, 4]],  # nor the steps between them
        [[4], [9]],
        [[3, 4, 5]],
        [[], []],
    ],
)
@pytest.mark.parametrize("cells", [1, 5, 1 << 20])
def test_leaves_of_a_table_are_those_of_its_rows(
    table: list[list[int]], cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A digit may be known, or an array as it is in a compiled loop."""
    monkeypatch.setattr(product_leaves, "CELLS", cells)
    x, rows = np.arange(11) ** 2, np.array(table, np.int64)
    made = [rows]
    if table[0] == [0, 2, 4]:
        made.append(Steps(rows[0], 3, 3))
    for each in made:
        leaves = product_leaves.leaves(NUMPY, (x,), [each])
        assert leaves.n == len(table)
        for k, row in enumerate(rows):
            for digit in (k, np.int64(k)):
                assert leaves.at(digit)[0].tolist() == x[row].tolist()
        assert leaves.stack()[0].tolist() == x[rows].tolist()
