"""Comparison of recipes with kernels: elements, mismatches and the largest difference, for each kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import interp
from kernels.trials import Draw, Kernel
from spec.accumulator import Reading, accumulator_of

BATCH = 20_000


class Found(NamedTuple):
    """Finding of a comparison: how many elements differ, and by how many steps at most."""

    elements: int
    mismatches: int
    largest: int


def compared(kernel: Kernel, elements: int, seed: int = 0) -> Found:
    """Compare a kernel with its recipe on at least so many random elements, edges included."""
    draw, found = Draw(np.random.default_rng(seed)), Found(0, 0, 0)
    reading = Reading("integer", accumulator_of(kernel.accumulator), kernel.recipe)
    batch = min(BATCH, max(elements // 10, 1))
    while found.elements < elements:
        trial = kernel.make(draw, batch)
        (ours,) = interp.run(interp.load(trial.program), *trial.args, reading=reading)
        apart = np.abs(ours.storage.astype(np.int64) - trial.theirs.astype(np.int64))
        wrong, largest = int(np.count_nonzero(apart)), int(apart.max(initial=0))
        sums = found.elements + apart.size, found.mismatches + wrong
        found = Found(*sums, max(found.largest, largest))
    return found
