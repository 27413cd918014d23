"""What the core takes from the applications: named as text, and imported when somebody asks for it.

An application may be deleted: what needs it then says so, and all else works as before.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from spec.errors import Unsupported

# By name, the module that has it.
HOMES = {
    "case_text": "interp.apps.suite.conformance",
    "notebook": "interp.apps.reports.notebook",
    "page": "interp.apps.reports.page",
    "read_case": "interp.apps.suite.cases",
    "read_onnx": "interp.apps.onnx.loading.model",
}


def on_demand(name: str) -> Any:
    """Return what an application has by this name; `Unsupported` if this installation lacks it."""
    try:
        return getattr(import_module(HOMES[name]), name)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("interp."):
            raise
        app = HOMES[name].split(".")[2]
        raise Unsupported(f"this installation lacks {app}", "reinstall stablehlo-interp") from None
