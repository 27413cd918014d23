"""The verb blame: its options, and the files that it writes."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import Any

from interp.command.answer import FINDING, FINE, Answer
from interp.command.inputs import ready, steps
from interp.command.options import number, repeated, schedule, with_arguments
from spec.errors import Malformed


def of_blame(new: argparse.ArgumentParser) -> None:
    with_arguments(new)
    schedule(new)
    other = "another implementation than XLA: a name or a command, as conformance takes it"
    new.add_argument("--impl", "--against", dest="against", metavar="IMPL", help=other)
    value = "an option of XLA's compiler: xla_disable_hlo_passes=cse; repeatable"
    repeated(new, "--xla-option", "NAME=VALUE", value)
    new.add_argument("--no-slices", action="store_true", help="name the passes only, which is quicker")
    new.add_argument("--seconds", type=number(float, 0, inf), metavar="N", help="a deadline")
    written = "write each slice and its arguments to this folder: slice.mlir, slice0.npy, ..."
    new.add_argument("-o", "--output", type=Path, metavar="DIR", help=written)


def blame(options: argparse.Namespace) -> Answer:
    from interp.apps.blaming.blame import blame as blamed

    module, arguments = ready(options)
    ways: dict[str, Any] = {"function": options.function, "mode": options.mode, "schedule": options.schedule}
    ways |= {"against": options.against, "options": dict(map(_option, options.xla_option))}
    ways["slices"] = not options.no_slices
    with steps() as bar:
        found = blamed(module, *arguments, **ways, seconds=options.seconds, progress=bar)
    options.say(found)
    for path in found.save(options.output) if options.output else ():
        options.say(f"wrote {path}")
    return Answer(FINE if found.ok and not found.partial else FINDING, found)


def _option(text: str) -> tuple[str, Any]:
    """Return the name and the value of an option of XLA's compiler."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise Malformed(f"--xla-option {text}", "expected NAME=VALUE: xla_disable_hlo_passes=cse")
    return name, {"true": True, "false": False}.get(value.lower(), value)
