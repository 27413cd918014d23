"""The program itself is run along what was recovered, for arguments that probes leave alone, too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.apps.revealing.device import Device, Refused
from interp.apps.revealing.execution import NUMBER, draw
from interp.apps.revealing.revealed import text
from interp.backends import Array
from interp.execute.run import run
from interp.questions.permitted.results import equal
from spec.accumulation import Accumulation
from spec.types import ElementType, TensorType


def refuse_other_program(
    device: Device, accumulation: Accumulation, results: Sequence[int], drawn: Sequence[Sequence[Array]]
) -> None:
    """Raise `Refused` if the program along an accumulation has other finite results than the device.

    drawn: arguments of each kind, whose leaves are those of probes. The others are filled here, and those
    that the program converts or scales get numbers that are not rounded to the leaves' type.
    """
    site, rng = device.site, np.random.default_rng(len(results))
    chosen = list(results)
    kept = {
        side.argument
        for side, leaf in zip(site.sides, site.leaf, strict=True)
        if side.scale == 1 and side.type == leaf
    }
    for kind, args in enumerate(drawn):
        full = [
            x if k in kept else _numbers(kind, value.type, x, rng)
            for k, (x, value) in enumerate(zip(args, site.func.inputs, strict=True))
        ]
        given = device.call(full)[chosen]
        ran = run(site.module, *full, function=site.func.name, accumulator={site.name: accumulation})
        ours = np.asarray(ran[site.output].storage).reshape(-1)[chosen]
        finite = np.isfinite(ours.astype(np.float64))
        same = equal(given, ours.astype(given.dtype)) | ~finite
        if not same.all():
            raise Refused(
                f"{text(accumulation)} has its results for these leaves, but the program along it has"
                f" other ones ({int((~same).sum()):,} of {same.size:,}), as where other arguments or"
                " conversions count"
            )


def _numbers(kind: int, type: TensorType, zeros: Array, rng: np.random.Generator) -> Array:
    """Return numbers of a kind for an argument of floats; one of integers may be an index, and is kept."""
    element = type.element_type
    if not isinstance(element, ElementType) or element.kind != "float" or not zeros.size:
        return zeros
    x, _ = draw(kind % NUMBER, 1, zeros.size, element, None, rng)
    return x.reshape(zeros.shape)
