"""The answer of a verb: its exit status, and what it found, which is printed or written as JSON and CSV."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from spec.errors import Malformed

FINE, FINDING, UNUSABLE = 0, 1, 2
FORMATS = ("json", "csv")
SCREEN = "-"


class Answer(NamedTuple):
    """Exit status of a verb, and what `interp/command/data.py` writes as JSON and CSV.

    unused: the options that the program does not use, which the JSON says; None if the verb has none of them.
    """

    status: int = FINE
    found: Any = None
    unused: Any = None


def conclude(found: Any, fine: bool = True) -> Answer:
    """Return an answer whose status is 1 for a finding or a question left open: not judged, or partial.

    fine: whether nothing was found, and nothing asked for was left unjudged.
    """
    partial = getattr(found, "partial", False)
    return Answer(FINE if fine and not partial else FINDING, found, getattr(found, "unused", None))


def data_options(new: argparse.ArgumentParser) -> None:
    """Add the options that write the answer as data."""
    for kind in FORMATS:
        written = f"write the answer as {kind.upper()} to FILE, too; - prints it instead of the text"
        new.add_argument(f"--{kind}", metavar="FILE", help=written)


def run_verb(options: argparse.Namespace) -> int:
    """Run the verb of the options, write its answer as data if that is wanted, and return the status."""
    wanted = {kind: path for kind in FORMATS if (path := getattr(options, kind, None))}
    alone = [kind for kind, path in wanted.items() if path == SCREEN]
    if len(alone) > 1:
        raise Malformed("both --json and --csv go to the screen", "give one of them a file")
    options.say = _nothing if alone else print
    answer: Answer = options.verb(options)
    for kind, path in wanted.items():
        _write(kind, path, options.verb_name, answer)
    return answer.status


def _nothing(*_: object, **__: object) -> None:
    pass


def _write(kind: str, path: str, verb: str, answer: Answer) -> None:
    from interp.command.data import as_csv, as_json
    from interp.engine.files import write_text

    found, unused = answer.found, answer.unused
    text = as_json(verb, found, unused) if kind == "json" else as_csv(verb, found)
    if path == SCREEN:
        print(text, end="")
    else:
        write_text(Path(path), text)
