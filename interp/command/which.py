"""Which verb for which question: the rows of README, docs/reference.md, and `interp` without a verb."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Question(NamedTuple):
    """A question of someone who has one of `HAVE`, and the verbs that answer it.

    `short` is the question in a few words, or "" if README leaves it out. `python` and `command` are
    Markdown.
    """

    have: str
    question: str
    short: str
    python: str
    command: str


PROGRAM, ARGUMENTS, DATA = "a program", "a program and its arguments", "a program and a data set"
RESULTS, DEVICE, TEXT = "results of a device", "a device or a compiler", "the specification"
HAVE = (PROGRAM, ARGUMENTS, DATA, RESULTS, DEVICE, TEXT)
TRACE = "interp.trace(...)"
Q = Question
QUESTIONS = (
    Q(PROGRAM, "What is in this file?", "its text", "`interp.load`", "`interp show`"),
    Q(
        PROGRAM,
        "Does it obey the specification? Is something legal, but perhaps not intended?",
        "is it legal",
        "`interp.verify`, `interp.lint`",
        "`interp verify`, `--lint`",
    ),
    Q(
        PROGRAM,
        "Can a sum overflow, for any input?",
        "can a sum overflow",
        "`interp.prove`",
        "`interp prove`",
    ),
    Q(
        PROGRAM,
        "Is a model fit for a build: all of these at once?",
        "all of these, in a build",
        "`interp.check`",
        "`interp check`",
    ),
    Q(
        PROGRAM,
        "The same in jitted code, or without quantized types",
        "without quantized types",
        "`interp.compile`, `interp.lower`",
        "`interp lower`",
    ),
    Q(
        PROGRAM,
        "The same with its weights as constants, or with sizes that are known",
        "",
        "`interp.bind`, `interp.refine`",
        "",
    ),
    Q(
        PROGRAM,
        "What does this program that simulates quantization (QDQ) mean in integers?",
        "QDQ in integers",
        "`interp.raise_qdq`, `interp.quant_pass`",
        "`interp raise-qdq`",
    ),
    Q(
        ARGUMENTS,
        "What are the results?",
        "its results",
        "`interp.run`; on a grid of processes `interp.run_parallel`",
        "`interp run`",
    ),
    Q(
        ARGUMENTS,
        "By which theorem was a reduction computed fast?",
        "",
        "`interp.plan`",
        "`interp run --plan`",
    ),
    Q(
        ARGUMENTS,
        "Where did a run overflow, lose digits or become NaN?",
        "where it overflows",
        "`interp.trace`, `interp.trace_parallel`",
        "`interp trace`",
    ),
    Q(
        ARGUMENTS,
        "What happened to this element?",
        "why this element",
        f"`{TRACE}.explain`, node by node `interp.step`",
        "`interp explain`, `interp repl`",
    ),
    Q(
        ARGUMENTS,
        "Does another order avoid the overflow?",
        "is another order better",
        f"`{TRACE}.verdict`",
        "`interp verdict`",
    ),
    Q(
        ARGUMENTS,
        "How wide must the accumulator be?",
        "how wide a sum must be",
        f"`{TRACE}.bounds`, then `interp.with_accumulator`",
        "`interp bounds`",
    ),
    Q(
        ARGUMENTS,
        "What would other accumulators give?",
        "with other accumulators",
        f"`{TRACE}.matrix`",
        "`interp matrix`",
    ),
    Q(
        ARGUMENTS,
        "Which few leaves show the event?",
        "a small example",
        f"`{TRACE}.shrink`",
        "`interp shrink`",
    ),
    Q(
        ARGUMENTS,
        "How far are the results from those of the float program?",
        "how far from float",
        "`interp.compare`",
        "`interp compare`",
    ),
    Q(
        ARGUMENTS,
        "What is that error made of?",
        "of what that is made",
        f"`{TRACE}.budget`, `{TRACE}.recipes`",
        "`interp budget`",
    ),
    Q(ARGUMENTS, "Where do two programs part?", "", "`interp.compare` of both", "`interp compare --against`"),
    Q(
        ARGUMENTS,
        "How do I pass real numbers, sizes, a custom call?",
        "",
        "`interp.to_storage`, `interp.refine`, `interp.register`",
        "`--quantize-inputs`, `--dims`",
    ),
    Q(
        DATA,
        "Which layer loses most over a data set?",
        "which layer loses most",
        "`interp.survey`, with `interp.batched`",
        "`interp survey`",
    ),
    Q(
        DATA,
        "How do I survey what one process cannot: shards, engines, large files?",
        "",
        "`interp.merge_surveys`, `interp.read_survey`, `interp.save_survey`, `interp.columns`",
        "`interp survey --shard`, `--merge`, `--status`",
    ),
    Q(
        DATA,
        "How many bits does each layer's accumulator need? What do fewer cost?",
        "bits by layer",
        "`interp.widths`",
        "`interp widths`",
    ),
    Q(
        DATA,
        "What is this float program in integers?",
        "a float program in integers",
        "`interp.quantize`",
        "`interp quantize`",
    ),
    Q(
        RESULTS,
        "Is another implementation's result permitted?",
        "are they permitted",
        "`interp.permits`",
        "`interp permits`",
    ),
    Q(
        RESULTS,
        "Which deviation gives a device's wrong numbers?",
        "why are they wrong",
        "`interp.diagnose`",
        "`interp diagnose`",
    ),
    Q(
        RESULTS,
        "Which layer of a device is wrong, by a dump of its tensors?",
        "which layer is",
        "`interp.judge`",
        "`interp judge`",
    ),
    Q(
        DEVICE,
        "Does an implementation conform? Which programs does it fail?",
        "does it conform",
        "`interp.conformance`, `interp.fuzz`",
        "`interp conformance`, `interp fuzz`",
    ),
    Q(
        DEVICE,
        "In which order and arithmetic does an implementation add?",
        "in which order it adds",
        "`interp.reveal`",
        "`interp reveal`",
    ),
    Q(
        DEVICE,
        "Does a row have the same bits in batches of every size?",
        "in any batch",
        "`interp.invariant`",
        "`interp invariant`",
    ),
    Q(
        DEVICE,
        "Which pass of XLA, or which operation, makes the difference?",
        "which pass is to blame",
        "`interp.blame`",
        "`interp blame`",
    ),
    Q(
        TEXT,
        "Where does the text leave a choice, and which case shows it?",
        "where it is open",
        "`interp.errata`",
        "`interp errata`",
    ),
)


def show_table() -> str:
    """Return the questions by what one has, each with its command, as aligned text."""
    width = max(len(row.question) for row in QUESTIONS)
    lines = []
    for have in HAVE:
        rows = [row for row in QUESTIONS if row.have == have]
        lines += [have, *(f"  {row.question:{width}}  {_plain(row.command)}" for row in rows)]
    return "\n".join(lines)


def _plain(cell: str) -> str:
    return cell.replace("`", "")


def verbs_in(row: Question) -> list[str]:
    """Return the verbs of the command line that a row names, in order."""
    words = (part.split() for part in row.command.split("`"))
    return list(dict.fromkeys(part[1] for part in words if len(part) > 1 and part[0] == "interp"))


def is_on_terminal() -> bool:
    """Return whether a person can be asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


Read = Callable[[str], str]


def ask(examples: str, read: Read = input, say: Callable[[str], object] = print) -> bool:
    """Ask what one has and wants to know, say what to type, and return whether a question was chosen.

    examples: lines that begin with a command. An answer is a number, or a word of what it names; an empty one
    leaves.
    """
    try:
        have = _choose("What do you have?", HAVE, str, read, say)
        rows = [row for row in QUESTIONS if row.have == have]
        row = have and _choose("What do you want to know?", rows, lambda x: x.question, read, say)
    except EOFError:
        return False
    if not row:
        return False
    assert isinstance(row, Question)
    for verb in verbs_in(row):
        lines = [line.strip() for line in examples.splitlines() if line.startswith(f"  interp {verb} ")]
        say("\n".join([*lines[:3], f"interp {verb} --help"]))
    say(f"in Python: {_plain(row.python)}" if verbs_in(row) else f"with any verb: {_plain(row.command)}")
    return True


def _choose(
    title: str, options: Sequence[T], text: Callable[[T], str], read: Read, say: Callable[[str], object]
) -> T | None:
    """Return the option that is chosen by number or by a word; None for an empty answer."""
    say("\n".join([title, *(f"  {k}  {text(option)}" for k, option in enumerate(options, 1))]))
    while typed := read("number or word (Enter leaves): ").strip().lower():
        if typed.isdecimal() and 0 < int(typed) <= len(options):
            return options[int(typed) - 1]
        alike = [option for option in options if typed in text(option).lower()]
        if len(alike) == 1:
            return alike[0]
        several = f"it may be {' or '.join(map(text, alike))}" if alike else "nothing there has this word"
        say(f"{typed}: expected a number from 1 to {len(options)}; {several}")
    return None
