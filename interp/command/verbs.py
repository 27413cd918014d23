"""The verbs of the command line: what each does, its options, and the texts that its help ends with."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

from interp.command import judging, programs, questions, runs
from interp.command.answer import FINE, Answer
from interp.command.options import execution_options, verbs_of
from spec.errors import Unsupported

# Texts that the help of the command line ends with.

EXAMPLES = """
examples:
  interp show model.mlirbc                        the program as text, large constants abbreviated
  interp show model.mlirbc --full > model.mlir    ... with every constant in full: a program like the first
  interp verify model.mlirbc                      every constraint of the specification that it breaks
  interp verify model.mlirbc --lint               and what is legal, but perhaps not meant
  interp run model.mlirbc x.npy init.npy          its results, under the schedule `left`
  interp run model.mlirbc args.npz --save out     ... written to out/out0.npy, ...
  interp run model.mlir --random 7 --schedule balanced
  interp run model.mlir --random 7 --reading integer --accumulator "i16 saturate"
  interp run model.mlirbc args.npz --accumulator %5=i16
                                                  ... with the sums of %5 in i16
  interp run model.mlirbc args.npz --fail-on saturate && echo "nothing saturates"
  interp trace model.mlirbc args.npz              what saturated, wrapped or lost digits, and where
  interp budget model.mlirbc args.npz             what the error against floats is made of
  interp trace model.mlirbc args.npz --html a.html
                                                  as maps, plots and explanations on one page
  interp explain model.mlirbc args.npz --op %sum  the worst element of a reduction, leaf by leaf
  interp verdict model.mlirbc args.npz            whether another schedule would have saved its sums
  interp bounds model.mlirbc args.npz --json -    the smallest accumulators that hold them, as JSON
  interp matrix model.mlirbc args.npz --type i16  the sums in other accumulators, types, schedules
  interp shrink model.mlirbc args.npz -o few.mlir a program of a few leaves that shows an event
  interp compare model.mlirbc args.npz            beside the float program on XLA, errors in steps
  interp compare float.mlirbc args.npz --against int8.mlir
                                                  beside another program, value by value
  interp survey int8.mlirbc images.npz --metric accuracy --labels images.npz:labels --ranking
                                                  what every layer loses over a data set
  interp survey int8.mlirbc images.npy --shard 3/8 -o part3.json
                                                  ... of one shard; killed, the same command goes on
  interp survey --merge part*.json                ... of all shards: the same bits as in one process
  interp lower model.mlirbc -o plain.mlir         the same bits as plain StableHLO, no quantized types
  interp quantize float.mlirbc samples.npz -o int8.mlir
  interp quantize float.mlirbc samples.npz --target int4_weights --block 32 --decisions
                                                  a float program in int8, calibrated on samples
  interp raise-qdq qdq.mlirbc -o int8.mlir        simulated quantization as operations on quantized types
  interp permits model.mlirbc args.npz --results out/out0.npy
                                                  whether some schedule gives these results
  interp diagnose model.mlirbc args.npz --results device.npy
                                                  which deviation from the program's meaning gives them
  interp judge model.mlirbc dump                  which layer of a device is wrong, by a dump of its tensors
  interp blame model.mlirbc args.npz              which pass of XLA, or which operation, differs
  interp reveal sum.mlirbc --impl xla             in which order and arithmetic an implementation adds
  interp invariant rows.mlirbc --sizes 1 8 64     whether rows are added alike in batches of every size
  interp prove model.mlirbc --range x=-1:1        whether a sum can overflow, for every input in a range
  interp widths int8.mlirbc images.npz --accumulator "i20 saturate" --html widths.html
                                                  how wide accumulators must be, by layer and channel
  interp check models/*.onnx --format github      all of load, verify, lint, prove and run, for a build
  interp repl model.mlirbc args.npz               the same verbs at a prompt, and a walk node by node
  interp completion bash                          a script that completes verbs and options in a shell
  interp fuzz --impl 'python mine.py' --seed 7    random programs, each failure made small
  interp conformance --impl stablehlo --html report.html
                                                  whether an implementation gives permitted results
  interp errata reduce                            where the text is open for an operation; E7: its case

Exit status: 0 fine; 1 a finding (a violation, a disagreement, a failed --fail-on) or a question left open
(not judged, or partial at its deadline); 2 unusable input.
"""
PROTOCOL = """
A command gets MODULE RESULTS IN0.npy IN1.npy ...: a file of MLIR text, an empty folder, stored elements. It
writes RESULTS/out0.npy, ... and exits with 0, or with 1 for a program that breaks the specification, or with
2 for one that it does not support; any other status, a signal, or a traceback is a crash. server:COMMAND is
one process that answers many cases on its standard streams. docs/conformance.md has examples of both.

Verdicts on quantized operations hold for the dequantize reading. A result that is wrong there is judged in
the integer reading, too: it may be permitted, or not known.
"""
READING = """
Verdicts on quantized operations hold for the dequantize reading. The suite judges a result that is wrong
there in the integer reading, too: it may be permitted, or not known; --reading integer asks for it alone.
"""
ARGUMENTS = """
Arguments: .npy files, or .npz and .safetensors files with arg0, arg1, ... or the parameters' names
(params['w']); FILE.npz:NAME picks one. --random SEED draws them.
Quantized values are storage integers; with --quantize-inputs, arrays of floats are quantized. Element types
that NumPy cannot name in a file (bf16, f8) travel as bits in unsigned integers, i4 and i2 with one element a
byte, in arguments and in results.
"""
CHECKED = """
[tool.interp] in pyproject.toml may have models = ["models/*.onnx"], ignore, stages, strict, mode, seconds,
dims and ranges. --format sarif is for code scanning, github prints annotations of a workflow.
Exit status: 0 if every model is fine; 1 for an error, or a question left open; 2 for unusable options.
"""
DIAGNOSED = (
    ARGUMENTS
    + """
Exit status: 0 if the declared meaning or a deviation reproduces every element; 1 if none was found.
"""
)
JUDGED = """
A name in the dump is that of a value (4.npy for %4), of an argument or a result (arg0.npy, out0.npy), or of a
layer (conv2.npy); conv2.in0.npy is what went into the layer itself. mapping.json gives other files names.

Exit status: 0 if every layer is exact, permitted or within the bound; 1 for a fault, for what is outside the
specification or unknown, and for a layer without files; 2 for unusable input.
"""


# `interp completion`: a script for a shell, which completes verbs, options and files without running Python.
#
# shtab makes it from the parser; argcomplete would start a Python process at every TAB.


SHELLS = ("bash", "zsh", "fish")
FILES = {"FILE", "ARG", "NPY", "NAME=NPY", "OUT", "SAMPLE"}  # metavars of options that take files
FOLDERS = {"DIR"}
INSTALLING = """
To install:
  interp completion bash > ~/.local/share/bash-completion/completions/interp
  interp completion zsh > ~/.zfunc/_interp        (a folder of $fpath)
  interp completion fish > ~/.config/fish/completions/interp.fish
"""


def completion_options(new: argparse.ArgumentParser) -> None:
    new.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def completion(options: argparse.Namespace) -> Answer:
    try:
        import shtab
    except ImportError:
        raise Unsupported("shtab is not installed", "pip install 'stablehlo-interp[completion]'") from None
    top: Any = options.complete_parser()
    for verb in verbs_of(top).values():
        for action in verb._actions:
            if action.metavar in FILES | FOLDERS:
                action.complete = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE
    print(shtab.complete(top, options.shell), end="")
    return Answer(FINE)


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
        questions.explain,
        questions.explain_options,
        "print one element of a reduction, leaf by leaf",
        ARGUMENTS,
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
        questions.budget,
        questions.budget_options,
        "print the error against floats in parts, by source",
        ARGUMENTS,
    ),
    "shrink": Verb(
        questions.shrink,
        questions.shrink_options,
        "print a program of a few leaves that shows a reduction's event",
        ARGUMENTS,
    ),
    "compare": Verb(
        runs.compare,
        runs.compare_options,
        "compare with the float program that XLA runs, or another",
        ARGUMENTS,
    ),
    "survey": Verb(
        runs.survey,
        runs.survey_options,
        "run on a data set, and print what every layer loses against float",
        ARGUMENTS,
    ),
    "lower": Verb(programs.lower, programs.lower_options, "write the program without quantized types"),
    "quantize": Verb(
        programs.quantize,
        programs.quantize_options,
        "quantize a float program on samples, and say why each type",
        programs.SAMPLES,
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
    "judge": Verb(
        judging.judge,
        judging.judge_options,
        "judge each layer of a device by the tensors that it had",
        JUDGED,
    ),
    "blame": Verb(
        judging.blame,
        judging.blame_options,
        "find what makes XLA's, or another's, results differ from the program's",
        ARGUMENTS,
    ),
    "reveal": Verb(
        judging.reveal,
        judging.reveal_options,
        "recover in which order and arithmetic an implementation adds",
    ),
    "invariant": Verb(
        judging.invariant,
        judging.invariant_options,
        "say whether an implementation adds a row alike in batches of every size",
    ),
    "prove": Verb(
        programs.prove,
        programs.prove_options,
        "prove for every input that no sum overflows, or find one that does",
    ),
    "widths": Verb(
        runs.widths,
        runs.widths_options,
        "print how many bits each layer's sums need, and what narrower accumulators cost",
        ARGUMENTS,
    ),
    "check": Verb(
        judging.check,
        judging.check_options,
        "check models for a build: constraints, suspicions, proofs, a first run",
        CHECKED,
    ),
    "repl": Verb(runs.repl, execution_options, "explore a program and its run at a prompt", ARGUMENTS, False),
    "conformance": Verb(
        judging.conformance,
        judging.conformance_options,
        "run the conformance suite on an implementation",
        PROTOCOL,
    ),
    "fuzz": Verb(
        judging.fuzz,
        judging.fuzz_options,
        "run random programs on an implementation, and shrink each failure",
        PROTOCOL,
    ),
    "errata": Verb(
        programs.errata,
        programs.errata_options,
        "print where the specification leaves a choice, our choices, and the cases that show them",
    ),
    "completion": Verb(
        completion,
        completion_options,
        "print a script with which a shell completes verbs and options",
        INSTALLING,
        False,
    ),
}
