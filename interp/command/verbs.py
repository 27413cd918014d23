"""The verbs of the command line: what each does, its options, and its help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from interp.command import judging, programs, quantize, questions, runs, suites, texts
from interp.command.answer import Answer
from interp.command.options import execution_options
from interp.command.texts import ARGUMENTS, DIAGNOSED, PROTOCOL, READING


class Verb(NamedTuple):
    """A verb; `has_data` says whether its answer can be written as JSON and CSV."""

    do: Callable[[argparse.Namespace], Answer]
    options: Callable[[argparse.ArgumentParser], None]
    help: str
    epilog: str = ""
    has_data: bool = True


VERBS = {
    "show": Verb(programs.show, programs.show_options, "print the program as MLIR"),
    "verify": Verb(programs.verify, programs.verify_options, "print every violated constraint"),
    "run": Verb(runs.run, runs.run_options, "print the results", ARGUMENTS),
    "trace": Verb(runs.trace, runs.trace_options, "print the noteworthy events of a run", ARGUMENTS),
    "explain": Verb(
        questions.explain, questions.explain_options, "print one element of a reduction, leaf by leaf", ARGUMENTS
    ),
    "verdict": Verb(
        questions.verdict,
        questions.long_question_options,
        "say for which sums of a reduction another schedule avoids the overflow",
        ARGUMENTS,
    ),
    "bounds": Verb(
        questions.bounds,
        questions.long_question_options,
        "print the smallest accumulators that hold a reduction's sums",
        ARGUMENTS,
    ),
    "matrix": Verb(
        questions.matrix,
        questions.matrix_options,
        "compute a reduction in other accumulators and schedules, against exact sums",
        ARGUMENTS,
    ),
    "budget": Verb(
        questions.budget, questions.budget_options, "print the error against floats in parts, by source", ARGUMENTS
    ),
    "shrink": Verb(
        questions.shrink,
        questions.shrink_options,
        "print a program of a few leaves that shows a reduction's event",
        ARGUMENTS,
    ),
    "compare": Verb(
        runs.compare, runs.compare_options, "compare with the float program that XLA runs, or another", ARGUMENTS
    ),
    "survey": Verb(
        runs.survey,
        runs.survey_options,
        "run on a data set, and print what every layer loses against float",
        ARGUMENTS,
    ),
    "lower": Verb(programs.lower, programs.lower_options, "write the program without quantized types"),
    "quantize": Verb(
        quantize.quantize,
        quantize.quantize_options,
        "quantize a float program on samples, and say why each type",
        quantize.SAMPLES,
    ),
    "raise-qdq": Verb(
        programs.raise_qdq,
        programs.raise_qdq_options,
        "turn simulated quantization (QDQ) into operations on quantized types",
    ),
    "permits": Verb(
        judging.permits,
        judging.permits_options,
        "judge results: does some schedule give them?",
        ARGUMENTS + READING,
    ),
    "diagnose": Verb(
        judging.diagnose,
        judging.diagnose_options,
        "find the deviation that reproduces a device's wrong results",
        DIAGNOSED,
    ),
    "blame": Verb(
        judging.blame,
        judging.blame_options,
        "find what makes XLA's, or another's, results differ from the program's",
        ARGUMENTS,
    ),
    "prove": Verb(
        programs.prove,
        programs.prove_options,
        "prove for every input that no sum overflows, or find one that does",
    ),
    "repl": Verb(runs.repl, execution_options, "explore a program and its run at a prompt", ARGUMENTS, False),
    "conformance": Verb(
        suites.conformance,
        suites.conformance_options,
        "run the conformance suite on an implementation",
        PROTOCOL + READING,
    ),
    "fuzz": Verb(
        suites.fuzz,
        suites.fuzz_options,
        "run random programs on an implementation, and shrink each failure",
        PROTOCOL + READING,
    ),
    "errata": Verb(
        programs.errata, lambda _: None, "print where the specification leaves a choice, and our choices"
    ),
    "completion": Verb(
        texts.completion,
        texts.completion_options,
        "print a script with which a shell completes verbs and options",
        texts.INSTALLING,
        False,
    ),
}
