"""Runs StableHLO programs with quantized reductions: exactly, visibly, compared with what JAX computes.

>>> import interp
>>> m = interp.load("model.mlirbc")
>>> interp.verify(m)
[]
>>> outs = interp.run(m, x, init)
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interp.compare import compare
    from interp.compile import compile
    from interp.evaluate import Listener
    from interp.lint import lint
    from interp.load import load
    from interp.lower import lower
    from interp.permits import Permits, permits
    from interp.plan import plan
    from interp.retype import with_accumulator
    from interp.run import run
    from interp.tensor import Tensor, to_storage
    from interp.trace import Trace, trace
    from interp.tracing.events import Finding
    from interp.tracing.stepping import Stepper, step
    from spec import schedule as schedules
    from spec.errata import ERRATA as errata
    from spec.errors import Bug, InterpError, Malformed, Unspecified, Unsupported, Violation
    from spec.verify import verify

# Where a public name lives: the module, and its name there (none: the module itself).
HOMES = {
    "Bug": ("spec.errors", "Bug"),
    "Finding": ("interp.tracing.events", "Finding"),
    "InterpError": ("spec.errors", "InterpError"),
    "Listener": ("interp.evaluate", "Listener"),
    "Malformed": ("spec.errors", "Malformed"),
    "Permits": ("interp.permits", "Permits"),
    "Stepper": ("interp.tracing.stepping", "Stepper"),
    "Tensor": ("interp.tensor", "Tensor"),
    "Trace": ("interp.trace", "Trace"),
    "Unspecified": ("spec.errors", "Unspecified"),
    "Unsupported": ("spec.errors", "Unsupported"),
    "Violation": ("spec.errors", "Violation"),
    "compare": ("interp.compare", "compare"),
    "compile": ("interp.compile", "compile"),
    "errata": ("spec.errata", "ERRATA"),
    "lint": ("interp.lint", "lint"),
    "load": ("interp.load", "load"),
    "lower": ("interp.lower", "lower"),
    "permits": ("interp.permits", "permits"),
    "plan": ("interp.plan", "plan"),
    "run": ("interp.run", "run"),
    "schedules": ("spec.schedule", ""),
    "step": ("interp.tracing.stepping", "step"),
    "to_storage": ("interp.tensor", "to_storage"),
    "trace": ("interp.trace", "trace"),
    "verify": ("spec.verify", "verify"),
    "with_accumulator": ("interp.retype", "with_accumulator"),
}
__all__ = list(HOMES)
_imported: dict[str, ModuleType] = {}  # wholly: what `sys.modules` has may still be on its way


class _Package(ModuleType):
    """Imports a public name when it is asked for; `interp.run` is the function, not the file of that name."""

    def __getattribute__(self, name: str) -> Any:
        if name not in HOMES:
            return super().__getattribute__(name)
        module, attribute = HOMES[name]
        home = _imported.get(module) or _imported.setdefault(module, import_module(module))
        return getattr(home, attribute) if attribute else home

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Package
