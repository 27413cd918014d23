"""`--explorer`: overlays for Model Explorer, and the command that shows them on the program."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.answers.trace import Trace
    from interp.apps.surveys.result import Survey
    from interp.engine.work import Progress
    from spec.ir import Module


def explorer_option(new: argparse.ArgumentParser) -> None:
    """Add the option of a verb whose findings Model Explorer shows."""
    folder = "write overlays for Model Explorer into DIR, and print the command that shows them"
    new.add_argument("--explorer", type=Path, metavar="DIR", help=folder)


def write_overlays(
    module: Module, found: Trace | Survey, given: argparse.Namespace, progress: Progress | None = None
) -> str:
    """Write the overlays into the folder that was asked for; return the command that shows them."""
    from interp.model_explorer import save

    if given.file == "-":
        raise Malformed("--explorer with standard input", "give the program as a file, which the page shows")
    if "," in f"{given.file}{given.explorer}":
        raise Malformed("a comma in a name", "model-explorer takes it for the end of a name: use others")
    paths = ",".join(map(str, save(module, found, given.explorer, progress)))
    data = [f"--node_data_paths={paths}"] if paths else []
    return shlex.join(["model-explorer", given.file, "--extensions=interp.model_explorer", *data])
