"""Verbs that take an implementation, and no program: conformance and fuzz."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path

from interp.command.answer import FINDING, FINE, Answer, conclude
from interp.command.options import LONG, number, repeatable_option
from interp.command.options import seconds_option as deadline


def implementation_options(new: argparse.ArgumentParser) -> None:
    new.add_argument(
        "--impl",
        default="numpy",
        metavar="NAME",
        help="a built-in implementation, or a command (default: numpy)",
    )
    new.add_argument(
        "--timeout",
        type=number(float, 0.001, LONG),
        default=20.0,
        metavar="S",
        help="seconds for each program (default: 20)",
    )


def conformance_options(new: argparse.ArgumentParser) -> None:
    implementation_options(new)
    repeatable_option(new, "--filter", "WORD", "only cases whose id contains WORD")
    folder = "folder of the cases, <op>/<case>.mlir (default: those of interp)"
    new.add_argument("--cases", type=Path, metavar="DIR", help=folder)
    deadline(new)
    for kind in ("junit", "html"):
        new.add_argument(f"--{kind}", type=Path, metavar="FILE", help=f"write the report as {kind}, too")


def conformance(options: argparse.Namespace) -> Answer:
    from interp.command.conformance import report_conformance

    report = report_conformance(options)
    return conclude(report, report.ok)


def fuzz_options(new: argparse.ArgumentParser) -> None:
    implementation_options(new)
    seconds = number(float, 0, LONG)
    new.add_argument(
        "--seconds", type=seconds, default=60.0, metavar="N", help="how many seconds to run (default: 60)"
    )
    new.add_argument(
        "--seed",
        type=number(int, 0, inf),
        default=0,
        metavar="S",
        help="the seed of the first program; with --seconds 0 of the only one",
    )
    new.add_argument(
        "--sweep",
        action="store_true",
        help="chains of plain operations with sizes up to 100,000, ranks up to 8",
    )
    new.add_argument("--save", type=Path, metavar="DIR", help="write each case to DIR/fuzz_<seed>.mlir, too")


def fuzz(options: argparse.Namespace) -> Answer:
    from interp.command.fuzz import report_fuzz

    found = report_fuzz(options)
    return Answer(FINE if found.ok else FINDING, found)
