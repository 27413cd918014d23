"""Runs StableHLO programs with quantized reductions: exactly, visibly, compared with what JAX computes.

>>> import interp
>>> m = interp.load("model.mlirbc")
>>> interp.verify(m)
[]
>>> outs = interp.run(m, x, init)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interp.comparison.compare import compare
    from interp.engine.evaluate import Listener
    from interp.engine.tensor import Tensor, to_storage
    from interp.events.event import Finding
    from interp.execute.compile import compile
    from interp.execute.lower import lower
    from interp.execute.plan import plan
    from interp.execute.run import run
    from interp.permitted.permits import Permits, permits
    from interp.reading.load import load
    from interp.reductions.lint import lint
    from interp.reductions.stepper import Stepper, step
    from interp.reporting.trace import Trace, trace
    from interp.rewrite.with_accumulator import with_accumulator
    from spec import schedule as schedules
    from spec.errata import ERRATA as errata
    from spec.errors import Bug, InterpError, Malformed, Unspecified, Unsupported, Violation
    from spec.verify import verify

# Where a public name lives: the module, and its name there (none: the module itself).
HOMES = {
    "Bug": ("spec.errors", "Bug"),
    "Finding": ("interp.events.event", "Finding"),
    "InterpError": ("spec.errors", "InterpError"),
    "Listener": ("interp.engine.evaluate", "Listener"),
    "Malformed": ("spec.errors", "Malformed"),
    "Permits": ("interp.permitted.permits", "Permits"),
    "Stepper": ("interp.reductions.stepper", "Stepper"),
    "Tensor": ("interp.engine.tensor", "Tensor"),
    "Trace": ("interp.reporting.trace", "Trace"),
    "Unspecified": ("spec.errors", "Unspecified"),
    "Unsupported": ("spec.errors", "Unsupported"),
    "Violation": ("spec.errors", "Violation"),
    "compare": ("interp.comparison.compare", "compare"),
    "compile": ("interp.execute.compile", "compile"),
    "errata": ("spec.errata", "ERRATA"),
    "lint": ("interp.reductions.lint", "lint"),
    "load": ("interp.reading.load", "load"),
    "lower": ("interp.execute.lower", "lower"),
    "permits": ("interp.permitted.permits", "permits"),
    "plan": ("interp.execute.plan", "plan"),
    "run": ("interp.execute.run", "run"),
    "schedules": ("spec.schedule", ""),
    "step": ("interp.reductions.stepper", "step"),
    "to_storage": ("interp.engine.tensor", "to_storage"),
    "trace": ("interp.reporting.trace", "trace"),
    "verify": ("spec.verify", "verify"),
    "with_accumulator": ("interp.rewrite.with_accumulator", "with_accumulator"),
}
__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in HOMES:
        raise AttributeError(f"module 'interp' has no attribute {name!r}")
    module, attribute = HOMES[name]
    home = import_module(module)
    value = globals()[name] = getattr(home, attribute) if attribute else home
    return value


def __dir__() -> list[str]:
    return __all__
