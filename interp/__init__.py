"""Interpreter of StableHLO programs with quantized types: exact, observable, and compared with float.

>>> import interp
>>> m = interp.load("model.mlirbc")
>>> interp.verify(m)
[]
>>> outs = interp.run(m, x, init)

Every verb that takes a program takes a `Module` or anything that `load` takes: a file, bytes, text, an
object of JAX or a JAX function. `interp.jax`, `interp.litert`, `interp.onnx`, `interp.testing` and
`interp.model_explorer` load on demand.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, ParamSpec, TypeVar

    from interp.answers.breakpoints import Breakpoint
    from interp.answers.position import Listing, Position
    from interp.answers.stepper import Backtrace, Stepper
    from interp.answers.stepper import step as _step
    from interp.answers.summary import Summary
    from interp.answers.trace import Trace
    from interp.answers.trace import trace as _trace
    from interp.answers.trace import trace_parallel as _trace_parallel
    from interp.apps.accumulator_study.answer import Widths
    from interp.apps.accumulator_study.widths import widths as _widths
    from interp.apps.blaming.answer import Blame
    from interp.apps.blaming.blame import blame as _blame
    from interp.apps.checking.check import Check, check
    from interp.apps.diagnosing.diagnose import diagnose as _diagnose
    from interp.apps.diagnosing.diagnosis import Diagnosis
    from interp.apps.judging.judge import judge as _judge
    from interp.apps.judging.judgement import Judgement
    from interp.apps.quantization.quantize import Quantized, quantize
    from interp.apps.quantization.raise_qdq import Raised
    from interp.apps.quantization.raise_qdq import raise_qdq as _raise_qdq
    from interp.apps.revealing.invariance import Invariance, invariant
    from interp.apps.revealing.reveal import reveal as _reveal
    from interp.apps.revealing.revealed import Revealed
    from interp.apps.suite.conformance import conformance
    from interp.apps.suite.fuzz import Fuzzed, fuzz
    from interp.apps.suite.outcome import Outcome
    from interp.apps.suite.report import Report
    from interp.apps.surveys.batches import Batch, Batches, batched
    from interp.apps.surveys.columns import Column, columns
    from interp.apps.surveys.measure import Ranking
    from interp.apps.surveys.merge import merge_surveys
    from interp.apps.surveys.part_file import read_survey, save_survey
    from interp.apps.surveys.rates import Rate
    from interp.apps.surveys.result import Survey
    from interp.apps.surveys.survey import survey as _survey
    from interp.comparison.budget import Budget
    from interp.comparison.compare import compare as _compare
    from interp.comparison.comparison import Comparison, ResultReport
    from interp.comparison.recipe_costs import RecipeCosts
    from interp.comparison.side_by_side import SideBySide
    from interp.engine.evaluate import Listener
    from interp.engine.registry import register
    from interp.engine.tensor import Tensor, to_storage
    from interp.execute.compile import compile as _compile
    from interp.execute.lower import lower as _lower
    from interp.execute.plan import Plan
    from interp.execute.plan import plan as _plan
    from interp.execute.refine import refine as _refine
    from interp.execute.run import Parallel
    from interp.execute.run import run as _run
    from interp.execute.run import run_parallel as _run_parallel
    from interp.loading.load import Program, load
    from interp.questions.bounds import Bounds
    from interp.questions.chain import Chain
    from interp.questions.explanation import Explanation
    from interp.questions.links import Link
    from interp.questions.lint import Suspicion
    from interp.questions.lint import lint as _lint
    from interp.questions.permitted.permits import Permits
    from interp.questions.permitted.permits import permits as _permits
    from interp.questions.proving.prove import Proof
    from interp.questions.proving.prove import prove as _prove
    from interp.questions.shrink import Shrunk
    from interp.questions.verdicts import Verdicts
    from interp.questions.what_if import Matrix, WhatIf
    from interp.recorder.accumulator import Accumulators
    from interp.recorder.breakpoint import Stopped
    from interp.recorder.event import Event, Group
    from interp.recorder.recorded import Reduction
    from interp.rewrite.bind import bind as _bind
    from interp.rewrite.quant_passes import quant_pass as _quant_pass
    from interp.rewrite.with_accumulator import with_accumulator as _with_accumulator
    from spec import schedule as schedules
    from spec.errata import ERRATA as errata
    from spec.errors import Bug, Finding, InterpError, Malformed, Unspecified, Unsupported, Violation
    from spec.ir import Func, Module, Op, Value
    from spec.rules.verify import verify as _verify
    from spec.schedule import Schedule

    P = ParamSpec("P")
    R = TypeVar("R")

# The verbs that take a program, each with its module.
VERBS = {
    "bind": "interp.rewrite.bind",
    "blame": "interp.apps.blaming.blame",
    "compare": "interp.comparison.compare",
    "compile": "interp.execute.compile",
    "diagnose": "interp.apps.diagnosing.diagnose",
    "judge": "interp.apps.judging.judge",
    "lint": "interp.questions.lint",
    "lower": "interp.execute.lower",
    "permits": "interp.questions.permitted.permits",
    "plan": "interp.execute.plan",
    "prove": "interp.questions.proving.prove",
    "quant_pass": "interp.rewrite.quant_passes",
    "raise_qdq": "interp.apps.quantization.raise_qdq",
    "refine": "interp.execute.refine",
    "reveal": "interp.apps.revealing.reveal",
    "run": "interp.execute.run",
    "run_parallel": "interp.execute.run",
    "step": "interp.answers.stepper",
    "survey": "interp.apps.surveys.survey",
    "trace": "interp.answers.trace",
    "trace_parallel": "interp.answers.trace",
    "verify": "spec.rules.verify",
    "widths": "interp.apps.accumulator_study.widths",
    "with_accumulator": "interp.rewrite.with_accumulator",
}
# The module of every other public name that has the same name there.
HOMES = {
    "Accumulators": "interp.recorder.accumulator",
    "Backtrace": "interp.answers.stepper",
    "Blame": "interp.apps.blaming.answer",
    "Bounds": "interp.questions.bounds",
    "Breakpoint": "interp.answers.breakpoints",
    "Budget": "interp.comparison.budget",
    "Bug": "spec.errors",
    "Chain": "interp.questions.chain",
    "Check": "interp.apps.checking.check",
    "Comparison": "interp.comparison.comparison",
    "Diagnosis": "interp.apps.diagnosing.diagnosis",
    "Event": "interp.recorder.event",
    "Explanation": "interp.questions.explanation",
    "Finding": "spec.errors",
    "Func": "spec.ir",
    "Fuzzed": "interp.apps.suite.fuzz",
    "Group": "interp.recorder.event",
    "InterpError": "spec.errors",
    "Invariance": "interp.apps.revealing.invariance",
    "Judgement": "interp.apps.judging.judgement",
    "Link": "interp.questions.links",
    "Listener": "interp.engine.evaluate",
    "Listing": "interp.answers.position",
    "Malformed": "spec.errors",
    "Matrix": "interp.questions.what_if",
    "Module": "spec.ir",
    "Op": "spec.ir",
    "Outcome": "interp.apps.suite.outcome",
    "Parallel": "interp.execute.run",
    "Permits": "interp.questions.permitted.permits",
    "Plan": "interp.execute.plan",
    "Position": "interp.answers.position",
    "Program": "interp.loading.load",
    "Proof": "interp.questions.proving.prove",
    "Quantized": "interp.apps.quantization.quantize",
    "Raised": "interp.apps.quantization.raise_qdq",
    "Ranking": "interp.apps.surveys.measure",
    "RecipeCosts": "interp.comparison.recipe_costs",
    "Reduction": "interp.recorder.recorded",
    "Report": "interp.apps.suite.report",
    "ResultReport": "interp.comparison.comparison",
    "Revealed": "interp.apps.revealing.revealed",
    "Schedule": "spec.schedule",
    "Shrunk": "interp.questions.shrink",
    "SideBySide": "interp.comparison.side_by_side",
    "Stepper": "interp.answers.stepper",
    "Stopped": "interp.recorder.breakpoint",
    "Summary": "interp.answers.summary",
    "Survey": "interp.apps.surveys.result",
    "Suspicion": "interp.questions.lint",
    "Batch": "interp.apps.surveys.batches",
    "Batches": "interp.apps.surveys.batches",
    "Column": "interp.apps.surveys.columns",
    "Rate": "interp.apps.surveys.rates",
    "Tensor": "interp.engine.tensor",
    "Trace": "interp.answers.trace",
    "Unspecified": "spec.errors",
    "Unsupported": "spec.errors",
    "Value": "spec.ir",
    "Verdicts": "interp.questions.verdicts",
    "Violation": "spec.errors",
    "check": "interp.apps.checking.check",
    "batched": "interp.apps.surveys.batches",
    "columns": "interp.apps.surveys.columns",
    "merge_surveys": "interp.apps.surveys.merge",
    "read_survey": "interp.apps.surveys.part_file",
    "save_survey": "interp.apps.surveys.part_file",
    "Widths": "interp.apps.accumulator_study.answer",
    "WhatIf": "interp.questions.what_if",
    "conformance": "interp.apps.suite.conformance",
    "fuzz": "interp.apps.suite.fuzz",
    "invariant": "interp.apps.revealing.invariance",
    "load": "interp.loading.load",
    "quantize": "interp.apps.quantization.quantize",
    "register": "interp.engine.registry",
    "to_storage": "interp.engine.tensor",
}
__all__ = sorted(["errata", "schedules", *HOMES, *VERBS])


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    value: Any
    if name in VERBS:
        value = taking_programs(_import(name, VERBS[name]))
    elif name in HOMES:
        value = _import(name, HOMES[name])
    elif name == "errata":
        value = import_module("spec.errata").ERRATA
    elif name == "schedules":
        value = import_module("spec.schedule")
    elif name in ("jax", "litert", "model_explorer", "onnx", "testing"):
        value = import_module(f"interp.{name}")
    elif name == "__version__":
        value = version()
    else:
        raise AttributeError(f"module 'interp' has no attribute {name!r}")
    globals()[name] = value
    return value


def _import(name: str, home: str) -> Any:
    """Return a public name from its module; `Unsupported` where that belongs to an app that is not there."""
    try:
        return getattr(import_module(home), name)
    except ModuleNotFoundError as error:
        if not home.startswith(f"{error.name}.") and home != error.name:
            raise
        from spec.errors import Unsupported

        what_to_do = "reinstall stablehlo-interp"
        raise Unsupported(
            f"this installation lacks {home.split('.')[2]}: interp.{name}", what_to_do
        ) from None


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def taking_programs(verb: Callable[Concatenate[Module, P], R]) -> Callable[Concatenate[Program, P], R]:
    """Wrap a verb so that its first argument may be anything that `load` reads, not only a module."""
    from functools import update_wrapper

    def call(module: Program, *args: P.args, **options: P.kwargs) -> R:
        from interp.execute.calling import call_verb

        answer: R = call_verb(verb, module, args, options)
        return answer

    update_wrapper(call, verb).__module__ = __name__  # where pickle finds it
    return call


def version() -> str:
    """Return the version of the installed package, which is that of pyproject.toml."""
    from importlib import metadata

    try:
        return metadata.version("stablehlo-interp")
    except metadata.PackageNotFoundError:
        return "unknown (not installed: pip install .)"


def refuse_other_spec() -> None:
    """Raise `ImportError` if Python finds a module named `spec` that is not the one beside this package."""
    from importlib.util import find_spec

    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    expected = os.path.join(root, "spec", "__init__.py")
    spec = sys.modules.get("spec") or find_spec("spec")
    found = getattr(spec, "__file__", None) or getattr(spec, "origin", None)
    if found is None or os.path.realpath(found) != expected:
        raise ImportError(
            "interp needs its own package `spec`, and Python finds another module of that name\n"
            f"  expected {expected}\n"
            f"  found {found or 'a folder without __init__.py, or nothing'}\n"
            f"  rename or remove the other one, or put {root} before it on sys.path (PYTHONPATH)"
        )


refuse_other_spec()
if TYPE_CHECKING:
    bind = taking_programs(_bind)
    blame = taking_programs(_blame)
    compare = taking_programs(_compare)
    compile = taking_programs(_compile)
    diagnose = taking_programs(_diagnose)
    judge = taking_programs(_judge)
    lint = taking_programs(_lint)
    lower = taking_programs(_lower)
    permits = taking_programs(_permits)
    plan = taking_programs(_plan)
    prove = taking_programs(_prove)
    quant_pass = taking_programs(_quant_pass)
    raise_qdq = taking_programs(_raise_qdq)
    refine = taking_programs(_refine)
    reveal = taking_programs(_reveal)
    run = taking_programs(_run)
    run_parallel = taking_programs(_run_parallel)
    step = taking_programs(_step)
    survey = taking_programs(_survey)
    trace = taking_programs(_trace)
    trace_parallel = taking_programs(_trace_parallel)
    verify = taking_programs(_verify)
    widths = taking_programs(_widths)
    with_accumulator = taking_programs(_with_accumulator)
