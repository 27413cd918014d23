"""`search`: which values need more bits, so that the simulated program stays near the float one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from interp.apps.quantization import constraints
from interp.apps.quantization.constraints import constrain
from interp.apps.quantization.kernels import REGION, kernels, ports_of, rebuild, with_specs
from interp.apps.quantization.propagate import propagate
from interp.apps.quantization.targets import Target, target_named
from interp.execute.run import run
from spec.errors import Malformed, Unsupported
from spec.ir import Module, Op

Widths = dict[str, constraints.Any]


def search(
    module: Module,
    samples: Iterable[Sequence[Any]],
    target: str | Target,
    tolerance: float,
    bits: int = 16,
) -> Widths:
    """Return the values to give `bits` bits, as constraints, so that the error is at most `tolerance`.

    module: a program after the stage `constrain`. target: one with kernels of several widths, the narrowest
    first, such as `TARGETS["int8"] | TARGETS["int16x8"]`. The error is the root of the mean square of the
    results' difference, over that of the float results. Each kernel is quantized alone to see how much of the
    error it causes; the kernels that cause most are widened, as few as suffice by bisection.
    Raises `Unsupported` if the error is larger with all of them widened.
    """
    kept = [tuple(sample) for sample in samples]
    if not kept:
        raise Malformed("there are no samples", "expected at least one tuple of arguments")
    device = target_named(target)
    exact = _results(propagate(module, Target("float")), kept)
    narrow = propagate(module, device)
    order = sorted(
        (op.results[0].name for op in kernels(narrow)),
        key=lambda name: -_error(_only(narrow, name), kept, exact),
    )

    def error(count: int) -> float:
        widened = constrain(module, _widths(order[:count], bits))
        return _error(propagate(widened, device), kept, exact)

    if (least := error(len(order))) > tolerance:
        verdict = f"the error is {least:.3g} with {bits} bits everywhere, more than {tolerance:.3g}"
        raise Unsupported(verdict, "allow a larger error, or give a target with wider kernels")
    return _widths(order[: _fewest(error, len(order), tolerance)], bits)


def _fewest(error: Callable[[int], float], most: int, tolerance: float) -> int:
    """Return the least number with an error that is tolerated, as if the error fell with the number."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if error(middle) <= tolerance else (middle + 1, high)
    return high


def _widths(names: Sequence[str], bits: int) -> Widths:
    return {name: constraints.Any(bits) for name in names}


def _only(module: Module, name: str) -> Module:
    """Return a program in which the kernel that gives a value is quantized, and no other."""

    def change(op: Op) -> Sequence[Op]:
        if op.name != REGION or op.results[0].name == name:
            return (op,)
        return (with_specs(op, [v.type.element_type for v in ports_of(op)]),)

    return rebuild(module, change)


def _results(module: Module, samples: Sequence[Sequence[Any]]) -> list[np.ndarray]:
    found = [run(module, *sample, contractions="library") for sample in samples]
    return [np.asarray(x.storage, np.float64).ravel() for results in found for x in results]


def _error(module: Module, samples: Sequence[Sequence[Any]], exact: Sequence[np.ndarray]) -> float:
    """Return the relative error of a program's results."""
    pairs = zip(_results(module, samples), exact, strict=True)
    squares = np.sum([[((a - b) ** 2).sum(), (b**2).sum()] for a, b in pairs], axis=0)
    return float(np.sqrt(squares[0] / max(squares[1], np.finfo(float).tiny)))
