"""`--explorer`: overlays for Model Explorer, and the command that shows them on the program."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.reporting.trace import Trace
    from interp.surveys.result import Survey
    from spec.ir import Module


def written(module: Module, found: Trace | Survey, options: argparse.Namespace) -> str:
    """Write the overlays into the folder that was asked for; return the command that shows them."""
    from interp.model_explorer import save

    if options.file == "-":
        raise Malformed("--explorer with standard input", "give the program as a file, which the page shows")
    if "," in f"{options.file}{options.explorer}":
        raise Malformed("a comma in a name", "model-explorer takes it for the end of a name: use others")
    paths = ",".join(map(str, save(module, found, options.explorer)))
    data = [f"--node_data_paths={paths}"] if paths else []
    return shlex.join(["model-explorer", options.file, "--extensions=interp.model_explorer", *data])
