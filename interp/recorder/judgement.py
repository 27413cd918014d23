"""Judgements: the events of one kind in an operation's result, before they are counted or kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from interp.recorder.exact import Array, Number


class Judgement(NamedTuple):
    """Events of one kind at the ascending flat positions `at`; the worst is where `sizes` is largest.

    `error` has one number for each of them. `exact` gives the exact value at a flat
    position, where there is one. `clips`: all of them are clipped at the zero point (`engine.clipping`).
    """

    kind: str
    at: Array
    error: Array
    exact: Callable[[int], Number | None]
    clips: bool = False

    @property
    def sizes(self) -> Array:
        """Return the size of each event's error; infinite for NaN."""
        return np.nan_to_num(np.abs(self.error).astype(np.float64), nan=np.inf)


def mask_events(kind: str, mask: Array, error: Array, exact: Callable[[int], Number | None]) -> Iterator[Judgement]:
    """Yield the events at the true elements of a mask, if there are any; `error` has the mask's shape."""
    at = np.flatnonzero(mask)
    if at.size:
        yield Judgement(kind, at, np.broadcast_to(error, mask.shape).reshape(-1)[at], exact)


def no_value(at: int) -> None:
    return None
