"""Verbs that ask a question of a recorded run: explain, verdict, bounds, matrix, budget, shrink."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.command.answer import Answer, conclude
from interp.command.options import (
    execution_options,
    number,
    progress,
    ready,
    repeatable_option,
    run_settings,
    seconds_option,
    steps,
)
from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.answers.trace import Trace


PATIENCE = 30.0  # as `interp.answers.trace.PATIENCE`


def question_options(new: argparse.ArgumentParser) -> None:
    execution_options(new)
    named = "the reduction, as printed: %%sum, @pool/%%0, @pool/%%0#2 (default: the only or the worst one)"
    new.add_argument("--op", metavar="OP", help=named)


def long_question_options(new: argparse.ArgumentParser) -> None:
    question_options(new)
    seconds_option(new)


def make_verb(question: Callable[[Trace, argparse.Namespace], Any]) -> Callable[[argparse.Namespace], Answer]:
    """Return the verb that traces a run, and prints the answer to a question about it."""

    def verb(options: argparse.Namespace) -> Answer:
        from interp.answers.trace import trace

        module, arguments = ready(options)
        with progress() as listeners:
            recorded = trace(module, *arguments, **run_settings(options), listeners=listeners)
            found = question(recorded, options)
        options.say(found, *recorded.unused.lines, sep="\n")
        return conclude(found)._replace(unused=recorded.unused)

    return verb


def explain_options(new: argparse.ArgumentParser) -> None:
    question_options(new)
    place = "the element of the result: 0,3,1 (default: the worst one)"
    new.add_argument("--index", metavar="I,J,...", help=place)
    which = "the result, of an operation with several (default: the one that the name says: 1 in %%0#1)"
    new.add_argument("--operand", type=number(int, 0, inf), metavar="K", help=which)


def index_of(text: str | None) -> tuple[int, ...] | None:
    """Return an index in the form `0,3,1`, also with the parentheses with which it is printed."""
    if text is None:
        return None
    inner = text.strip().removeprefix("(").removesuffix(")").strip().removesuffix(",")
    try:
        return tuple(int(part) for part in inner.split(",")) if inner else ()
    except ValueError:
        raise Malformed(f"{text!r} is not an index", "expected whole numbers: 0,3,1") from None


explain = make_verb(lambda trace, o: trace.explain(o.op, index_of(o.index), o.operand))


def _verdict(trace: Trace, options: argparse.Namespace) -> Any:
    with steps() as bar:
        return trace.verdict(options.op, seconds=options.seconds, progress=bar)


def _bounds(trace: Trace, options: argparse.Namespace) -> Any:
    with steps() as bar:
        return trace.bounds(options.op, seconds=options.seconds, progress=bar)


verdict, bounds = make_verb(_verdict), make_verb(_bounds)


def matrix_options(new: argparse.ArgumentParser) -> None:
    long_question_options(new)
    types = "an accumulator: i16, 'i20 saturate', f16, or of a reduction an element type; repeatable"
    repeatable_option(new, "--type", "T", types)
    repeatable_option(
        new, "--in-schedule", "S", "a schedule to compute the sums in; repeatable (default: several)"
    )
    repeatable_option(new, "--in-recipe", "R", "a recipe of requantization to compare, or all; repeatable")


def _matrix(trace: Trace, options: argparse.Namespace) -> Any:
    recipes = "all" if "all" in options.in_recipe else options.in_recipe
    asked = options.op, options.type or None, options.in_schedule or None, recipes
    with steps() as bar:
        return trace.matrix(*asked, seconds=options.seconds, progress=bar)


matrix = make_verb(_matrix)


def budget_options(new: argparse.ArgumentParser) -> None:
    execution_options(new)
    real = "the real numbers from which the arguments were rounded, in files as the arguments are"
    new.add_argument("--inputs", nargs="+", metavar="ARG", help=real)
    most = "the most work for the parts by operation (default: that of Trace.budget)"
    new.add_argument("--work", type=number(int, 0, inf), metavar="N", help=most)
    each = "also print the error of every recipe of requantization"
    new.add_argument("--recipes", action="store_true", help=each)
    seconds_option(new)


def _budget(trace: Trace, options: argparse.Namespace) -> Any:
    from interp.engine.arguments import function_named
    from interp.engine.inputs import read_arguments

    func = function_named(trace.module, options.function)
    real = read_arguments(options.inputs, func) if options.inputs else None
    with steps() as bar:
        return trace.budget(real, options.work, bar, options.recipes, seconds=options.seconds)


budget = make_verb(_budget)


def shrink_options(new: argparse.ArgumentParser) -> None:
    question_options(new)
    seconds_option(new, PATIENCE)
    new.add_argument("--kind", metavar="KIND", help="the kind of event to show (default: the worst one)")
    written = "write the program as a conformance case, and check that it shows the event"
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=written)


def _shrink(trace: Trace, options: argparse.Namespace) -> Any:
    with steps() as bar:
        found = trace.shrink(options.op, options.kind, seconds=options.seconds, progress=bar)
    if options.output is not None:
        found.save(options.output)
    return found


shrink = make_verb(_shrink)
