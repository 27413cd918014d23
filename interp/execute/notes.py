"""Notes about a run, issued as Python warnings; a command prints them to its error output."""

from __future__ import annotations

import sys
import warnings

from interp.engine.callbacks import gives_nothing
from interp.engine.memo import once
from interp.engine.registered import REGISTERED
from interp.execute.unused import unused_options
from spec.accumulator import Reading
from spec.ir import Func, Module, Op, nested_ops
from spec.verify import callees

_SHOWN = 5  # places that a note lists


class Note(UserWarning):
    """A warning that a run leaves something out."""


def note_skipped(module: Module, func: Func) -> None:
    """Warn once if a function calls back Python functions without results, since those calls are skipped."""
    bodies = [module[name].body for name in (func.name, *sorted(callees(module, func.name)))]
    skipped = [op for body in bodies for op in nested_ops(body) if gives_nothing(op)]
    skipped = [op for op in skipped if op["call_target_name"] not in REGISTERED]
    if skipped:
        warnings.warn(_text(skipped), Note, stacklevel=_outside())


@once
def note_unused(module: Module, function: str, reading: Reading) -> None:
    """Warn once of options that a function does not use."""
    for line in unused_options(module, function, reading).lines:
        warnings.warn(line, Note, stacklevel=_outside())


def _text(skipped: list[Op]) -> str:
    count = len(skipped)
    what = "a call of a Python function is" if count == 1 else f"{count} calls of Python functions are"
    places = ", ".join(str(op.location) for op in skipped[:_SHOWN]) + ", ..." * (count > _SHOWN)
    return f"{what} skipped, without effect on the results, such as jax.debug.print: {places}"


def _outside() -> int:
    """Return the stack level, as `warnings.warn` counts it, of the nearest caller outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "interp":
        level, frame = level + 1, frame.f_back
    return level
