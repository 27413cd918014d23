"""Proofs about every input, held against runs: of the arguments drawn, and of the ends of their types."""

from __future__ import annotations

from typing import Any

import numpy as np

import interp
from soaking.drawing import Trial, storage_ends
from soaking.outcome import Counts, Finding, claiming
from spec.accumulator import reading_named
from spec.errors import InterpError
from spec.ir import Module
from tests.library.oracles.proofs_checked import around, finite, wrong
from tests.library.strategies.programs import stored


def extreme(trial: Trial, module: Module) -> tuple[np.ndarray, ...]:
    """Return other arguments of the same types: each all least, all greatest, or any."""
    values = np.random.default_rng(trial.rng.getrandbits(32))

    def one(type: Any) -> np.ndarray:
        x = stored(values, type)
        ends = storage_ends(type.element_type)
        return np.full_like(x, trial.rng.choice(ends)) if trial.rng.random() < 0.7 else x

    return tuple(one(value.type) for value in module.main.inputs)


def proofs(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where a run contradicts the proof of a program."""
    module, types = trial.program.module, [value.type for value in trial.program.module.main.inputs]
    with np.errstate(all="ignore"):
        drawn, ends = (finite(args, types) for args in (trial.program.args, extreme(trial, module)))
    name = trial.rng.choice(("dequantize", "dequantize", "integer"))
    options = {"schedule": trial.schedule, "reading": reading_named(name)}
    for ranges, several in (({}, (drawn, ends)), (around(drawn, types), (drawn,))):
        try:
            with claiming("prove", InterpError), np.errstate(all="ignore"):
                proof = interp.prove(module, ranges, **options)
                found = [text for args in several for text in wrong(module, args, ranges, proof, **options)]
        except InterpError:
            counts["proofs: refused"] += 1
            return
        for row in proof.rows:
            counts[f"proofs: {row.verdict}"] += 1
        if found:
            raise Finding("prove", found[0])
