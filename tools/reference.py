"""The generated pages: public names for Sphinx's autodoc, the help of every command, and the notebooks."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import notebooks

import interp
from interp.command.options import verbs_of
from interp.command.status import complete_parser
from interp.engine.files import write_text

NOT_LISTED = {"errata", "schedules", "Program"}  # a table, which has its page, a module, a union


def write(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    write_text(folder / "python.md", python())
    write_text(folder / "command.md", command())
    notebooks.write_pages(folder)


def python() -> str:
    """Return the public names of `interp` in the kinds that autodoc tells apart."""
    public = {name: getattr(interp, name) for name in interp.__all__ if name not in NOT_LISTED}
    errors = [name for name, x in public.items() if inspect.isclass(x) and issubclass(x, Exception)]
    types = [name for name, x in public.items() if inspect.isclass(x) and name not in errors]
    verbs = [name for name, x in public.items() if not inspect.isclass(x)]
    return "\n".join(
        [
            "# Python reference\n",
            *section("Verbs", "autofunction", verbs),
            *section("Types", "autoclass", types, ":members:", ":inherited-members:"),
            *section("Errors", "autoexception", errors),
        ]
    )


def section(title: str, directive: str, names: list[str], *options: str) -> list[str]:
    entries = [
        "\n".join([f".. {directive}:: interp.{name}", *(f"   {o}" for o in options), ""]) for name in names
    ]
    return [f"## {title}\n", "```{eval-rst}", *entries, "```\n"]


def command() -> str:
    """Return the output of `interp --help` and `interp VERB --help`."""
    os.environ["COLUMNS"] = "100"
    top = complete_parser()
    pages = ["# Command reference\n", block(top.format_help())]
    pages += [f"## interp {name}\n\n{block(verb.format_help())}" for name, verb in verbs_of(top).items()]
    return "\n".join(pages)


def block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"
