"""Alignment of two sequences by a longest common subsequence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence


def common_subsequence(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence, the latest if there are several.

    A row of the table of lengths is one integer, whose bit j is clear where the length grows with right[j]
    (H. Hyyro, "Bit-parallel LCS-length computation revisited", 2004).
    """
    places = defaultdict[Hashable, int](int)
    for j, token in enumerate(right):
        places[token] |= 1 << j
    rows = [(1 << len(right)) - 1]
    for token in left:
        both = rows[-1] & places[token]
        rows.append(((rows[-1] + both) | (rows[-1] - both)) & rows[0])
    found, i, j = [], len(left), len(right)
    while i and j:
        if left[i - 1] == right[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif _growth(rows[i - 1], j) >= _growth(rows[i], j - 1):
            i -= 1
        else:
            j -= 1
    return found[::-1]


def _growth(row: int, end: int) -> int:
    """Return the length of the common subsequence of a row up to a column."""
    return end - (row & ((1 << end) - 1)).bit_count()
