"""Verbs that answer the same question agree, on random programs: one row of `PAIRS` for each pair."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.command.data import as_json
from interp.engine.storage import storage_range, zero_point
from interp.execute.plan import Seen
from interp.execute.unused import NOTHING
from interp.questions.bounds import COMPUTED
from interp.questions.shrink import event_text
from interp.recorder.event import OVERFLOWS
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from spec.schedule import parse
from spec.types import QuantizedType
from tests.library.builders import contracting, function, reduced, single
from tests.library.strategies.broken_programs import broken
from tests.library.strategies.programs import PROGRAMS, Program, stored

ENDS = tuple(f"!quant.uniform<i8:f32, {scale}:{point}>" for scale in (0.5, 0.3) for point in (-128, 127, 3))
SCHEDULES = ("left", "balanced", "blocks(1)", "blocks(2)", "blocks(3)", "random(7)")
PLAIN = ("i2", "i4", "i8", "i16", "i32", "ui4", "ui8", "ui16")
QUANTIZED = (
    "!quant.uniform<i8:f32, 0.5>",
    "!quant.uniform<i8<-7:90>:f32, 0.25:3>",
    "!quant.uniform<u8:f16, 0.50001:128>",
    "!quant.uniform<i4:bf16, 0.3:1>",
    "!quant.uniform<i16:f16, 0.50001>",
    "!quant.uniform<i16:f32, 0.1:-5>",
    "!quant.uniform<i32:f64, 0.3:7>",
)


class Asked(NamedTuple):
    """A program, its arguments, and the schedule to ask about."""

    module: Module
    args: tuple[np.ndarray, ...]
    schedule: str

    @property
    def trace(self) -> interp.Trace:
        return interp.trace(self.module, *self.args, schedule=self.schedule)

    def run(self, **options: Any) -> tuple[interp.Tensor, ...]:
        return interp.run(self.module, *self.args, schedule=self.schedule, **options)


@st.composite
def sums(draw: st.DrawFn, types: tuple[str, ...] = PLAIN + QUANTIZED) -> Asked:
    """A sum of a type's own elements, along one dimension of two, with any init value."""
    type, n, columns = draw(st.sampled_from(types)), draw(st.integers(0, 7)), draw(st.integers(1, 3))
    module = reduced(f"{n}x{columns}x{type}")
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x, init = (stored(rng, value.type) for value in module.main.inputs)
    return Asked(module, (x, init * draw(st.sampled_from((0, 1)))), draw(st.sampled_from(SCHEDULES)))


@st.composite
def dots(draw: st.DrawFn) -> Asked:
    """A product of matrices of small integers, whose sums an accumulator may or may not hold."""
    n = draw(st.integers(1, 6))
    module = single("dot_general", f"2x{n}xi8; {n}x3xi8 -> 2x3xi32", **contracting(1))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    args = tuple(stored(rng, value.type) for value in module.main.inputs)
    return Asked(module, args, draw(st.sampled_from(SCHEDULES)))


@st.composite
def layers(draw: st.DrawFn) -> Asked:
    """Steps of types that may clip at zero: quantizing, a difference, a product, perhaps a sum."""
    x, y, d, p = (draw(st.sampled_from(ENDS)) for _ in range(4))
    w, last = "!quant.uniform<i8:f32, 0.125>", f"tensor<2x2x{p}>"
    lines = [
        f"%x = stablehlo.uniform_quantize %a : (tensor<2x3xf32>) -> tensor<2x3x{x}>",
        f"%d = stablehlo.subtract %x, %y : (tensor<2x3x{x}>, tensor<2x3x{y}>) -> tensor<2x3x{d}>",
        f"%p = stablehlo.dot_general %d, %w, contracting_dims = [1] x [0]"
        f" : (tensor<2x3x{d}>, tensor<3x2x{w}>) -> {last}",
    ]
    if draw(st.booleans()):
        last = f"tensor<2x{p}>"
        lines.append(f"""%s = "stablehlo.reduce"(%p, %i) ({{
          ^bb0(%l: tensor<{p}>, %r: tensor<{p}>):
            %t = stablehlo.add %l, %r : tensor<{p}>
            stablehlo.return %t : tensor<{p}>
          }}) {{dimensions = array<i64: 0>}} : (tensor<2x2x{p}>, tensor<{p}>) -> {last}""")
    arguments = f"(%a: tensor<2x3xf32>, %y: tensor<2x3x{y}>, %w: tensor<3x2x{w}>, %i: tensor<{p}>)"
    module = function(f"{arguments} -> {last}", *lines)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    args = tuple(stored(rng, value.type) for value in module.main.inputs[1:])
    return Asked(
        module, (rng.normal(0, 60, (2, 3)).astype(np.float32), *args), draw(st.sampled_from(SCHEDULES))
    )


@st.composite
def weighted(draw: st.DrawFn) -> Asked:
    """A product with constant weights, of an argument or of what is computed from it.

    Weights of -128 need as many bits as any weights, others fewer, in the same storage or in a narrower one.
    """
    n, is_computed = draw(st.integers(1, 20)), draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    least, end = draw(st.sampled_from(((-128, 128), (-128, -127), (0, 1))))
    w = rng.integers(least, end, (n, 3))
    x = f"tensor<2x{n}xi8>"
    module = function(
        f"(%a: {x}) -> tensor<2x3xi32>",
        f"%w = stablehlo.constant dense<{w.tolist()}> : tensor<{n}x3xi8>",
        *[f"%c = stablehlo.constant dense<0> : {x}", f"%m = stablehlo.maximum %a, %c : {x}"] * is_computed,
        f"%s = stablehlo.dot_general {'%m' if is_computed else '%a'}, %w, contracting_dims = [1] x [0]"
        f" : ({x}, tensor<{n}x3xi8>) -> tensor<2x3xi32>",
    )
    return Asked(module, (stored(rng, module.main.inputs[0].type),), draw(st.sampled_from(SCHEDULES)))


def asked(program: Program) -> Asked:
    return Asked(program.module, program.args, "left")


REDUCTIONS = st.builds(
    lambda program, schedule: Asked(*program, schedule), PROGRAMS, st.sampled_from(SCHEDULES)
)


def prove_and_bounds(a: Asked) -> None:
    """For known arguments a proof is the run's own ranges: of its schedule, or of all trees."""
    proof = interp.prove(a.module, dict(enumerate(a.args)), schedule=a.schedule)
    bounds, (row,) = a.trace.bounds(), proof.rows
    assert bounds.by_value is not None
    assert bounds.by_schedule is not None
    type = bounds.reduction.types[0]
    low, high = storage_range(type)
    fits = [low <= bound.least and bound.greatest <= high for bound in (bounds.by_value, bounds.by_schedule)]
    scope = row.judgement.scope
    if scope == "any schedule" or scope.startswith("schedule"):
        assert row.judgement.ends is not None
        least, greatest = (end + zero_point(type) for end in row.judgement.ends.hull)
        known = bounds.by_value if scope == "any schedule" else bounds.by_schedule
        assert (least, greatest) == (known.least, known.greatest)
    assert fits[0] or row.verdict != "proved" or scope.startswith("schedule")
    exact = not isinstance(type, QuantizedType) or bounds.by_schedule.exact
    if row.verdict == "proved":
        assert fits[1]
    elif fits[1]:
        assert not exact, "a sum that fits and is exact is proved"
    else:
        assert row.verdict == "refuted" or isinstance(type, QuantizedType)


def bounds_and_suggested(a: Asked) -> None:
    """What is suggested holds the bound; exactness, the precision and the reason are one theorem's."""
    bounds = a.trace.bounds()
    type = bounds.reduction.types[0]
    for bound in (bounds.by_type, bounds.by_value, bounds.by_schedule):
        if bound and isinstance(type, QuantizedType) and type.storage_type.bits > 8:
            assert bound.exact == (bound.precision <= type.expressed_type.precision)
    if bounds.suggested is None:
        assert bounds.suggestion.why
        return
    low, high = storage_range(bounds.suggested)
    covered = [bounds.by_schedule, bounds.by_value]
    covered += [bounds.by_type] if bounds.suggestion.scope == "any data" else []
    for bound in covered:
        assert bound is not None
        assert low <= bound.least
        assert bound.greatest <= high
        assert bound.exact


def widths_and_bounds(a: Asked) -> None:
    """What `widths` proves of each channel are the bounds with these weights, or within where it says so."""
    bounds, study = a.trace.bounds(), interp.widths(a.module, [a.args])
    assert bounds.channels is not None
    assert bounds.by_constants is not None
    is_computed = COMPUTED in repr(bounds)
    for row, *ends in zip(study.rows, *(end.ravel() for end in bounds.channels), strict=True):
        assert row.proved is not None
        least, greatest = row.proved
        assert (ends[0] <= least <= greatest <= ends[1]) if is_computed else (ends == [least, greatest])
    suggestion = bounds.suggestion
    assert suggestion.weight_bits < suggestion.bits
    assert (f", i{suggestion.weight_bits} for these weights" in repr(bounds)) == bool(suggestion.weight_bits)
    told = suggestion.weight_bits or suggestion.bits
    most = max(row.bits_proved or 0 for row in study.rows)
    assert most <= bounds.by_constants.bits <= told
    assert is_computed == (a.module.main.body.ops[-2].operands[0].name != "%a")
    if not is_computed:
        assert most == bounds.by_constants.bits == told


def lint_and_bounds(a: Asked) -> None:
    """`lint` warns of an overflow exactly where data of the types can overflow in some schedule."""
    bound = a.trace.bounds().by_type
    assert bound is not None
    low, high = storage_range(a.trace.bounds().reduction.types[0])
    warned = any(found.code == "lint_overflow" for found in interp.lint(a.module))
    n = a.args[0].shape[0]
    if not warned:
        assert (low <= bound.least and bound.greatest <= high) or n == 0
    elif low <= bound.least and bound.greatest <= high:
        assert not bound.exact, "a sum that fits and is exact cannot overflow"


def matrix_and_run(a: Asked) -> None:
    """A cell has the sums that the program has with this accumulator, in this schedule."""
    t = a.trace
    name = t.reduction().name
    table = t.matrix(schedules=[a.schedule])
    for cell in table.cells:
        if cell.arithmetic == "specification":
            other = interp.with_accumulator(a.module, name, cell.type)
            own = interp.trace(other, *a.args, schedule=a.schedule).reduction()
            assert np.array_equal(own.accumulators[0], cell.accumulators)
            assert own.types[0] == cell.type


def what_if_and_run(a: Asked) -> None:
    """A contraction's cell has the results of a run with this accumulator."""
    table = a.trace.matrix(types=["i32", "i12", "i10 saturate", "i16 saturate"], schedules=[a.schedule])
    for cell in table.cells:
        (result,) = a.run(accumulator=repr(cell.machine))
        assert np.array_equal(result.storage, cell.accumulators)


def permits_and_run(a: Asked) -> None:
    """The results of a run are permitted, by its schedule."""
    results = [x.storage for x in a.run()]
    found = interp.permits(a.module, a.args, results, schedules=[a.schedule])
    assert found.ok
    assert all((verdicts == "exact").all() for verdicts in found.verdicts)


def permits_and_verdict(a: Asked) -> None:
    """A safe sum has one permitted result, its total; one that depends on the order permits it and others."""
    verdicts, (result,) = a.trace.verdict(), a.run()
    assert verdicts.total is not None
    low, high = storage_range(verdicts.reduction.types[0])
    clipped = np.clip(verdicts.total.astype(object), low, high).astype(result.storage.dtype)
    found = interp.permits(a.module, a.args, [clipped], inits="one").verdicts[0]
    other = np.where(clipped < high, clipped + 1, clipped - 1).astype(clipped.dtype)
    moved = interp.permits(a.module, a.args, [other], inits="one").verdicts[0]
    if not isinstance(verdicts.reduction.types[0], QuantizedType):
        return
    for index in np.ndindex(verdicts.kinds.shape):
        kind = verdicts.kinds[index]
        if kind in ("safe", "order-dependent"):
            assert found[index] in ("exact", "permitted")
        if kind == "safe":
            assert moved[index] == "not permitted"


def trace_and_its_totals(a: Asked) -> None:
    """Counts, groups, kept events, the summary and the JSON have the same events."""
    t = interp.trace(a.module, *a.args, schedule=a.schedule, keep=10**6)
    document = json.loads(t.to_json())
    assert document["counts"] == dict(t.counts)
    totals: dict[str, int] = {}
    for group in t.groups:
        totals[group.kind] = totals.get(group.kind, 0) + group.count
    assert totals == dict(t.counts)
    assert sum(group["count"] for group in document["groups"]) == t.counts.total()
    shown = sum(group.count for group in t.shown)
    assert len(t.kept) == len(document["events"]) == shown
    for view in t.summary().views:
        own = [g for g in t.shown if g.first.op is view.reduction.written and g.first.what == "result"]
        assert int(view.events.sum()) == sum(g.count for g in own if g.kind in view.kinds)


def explain_and_run(a: Asked) -> None:
    """The last line of an explanation is the element of the result."""
    t = a.trace
    for name, reduction in t.reductions.items():
        if reduction.size and reduction.n <= 64:
            index = tuple(int(n) - 1 for n in reduction.shape)
            for k in range(len(reduction.types)):
                told = t.explain(name, index, k)
                own = np.asarray(reduction.accumulators[k])[index]
                assert np.asarray(told.result).astype(own.dtype).tobytes() == own.tobytes() or (
                    own != own and told.result != told.result
                )


def plan_and_run(a: Asked) -> None:
    """The fast path of a run is one that the plan names."""
    planned, seen = interp.plan(a.module, schedule=a.schedule), Seen(parse(a.schedule))
    a.run(listeners=[seen])
    assert interp.plan(a.module, *a.args, schedule=a.schedule) == seen.plan
    for row, own in zip(planned.rows, seen.rows, strict=True):
        names = [theorem.partition(",")[0] for theorem, _ in row.tried]
        for theorem, _ in own.tried:
            assert any(theorem.startswith(name) for name in names), (theorem, names)


def shrink_and_trace(a: Asked) -> None:
    """The small program shows the event that it was made for."""
    t = a.trace
    for group in t.shown:
        if group.first.op in [reduction.written for reduction in t.reductions.values()]:
            with contextlib.suppress(Unsupported, Malformed):
                small = t.shrink(kind=group.kind)
                again = interp.trace(
                    small.module, *small.args, schedule=small.schedule, mode=small.mode, keep=1000
                )
                assert event_text(small.event) in [event_text(event) for event in again.kept]
                assert small.event.kind in [group.kind for group in t.shown]


def prove_and_trace(a: Asked) -> None:
    """A run of a witness overflows where the proof says, and no run of a proved sum does."""
    proof = interp.prove(a.module, schedule=a.schedule, runs=4)
    for row in proof.rows:
        args = row.witness.args if row.witness else a.args
        t = interp.trace(a.module, *args, schedule=a.schedule)
        kinds = {group.kind for group in t.groups if group.first.op is row.judgement.op}
        if row.verdict == "refuted":
            assert kinds & {*OVERFLOWS}
        if row.verdict == "proved":
            assert not kinds & {*OVERFLOWS}


def diagnose_and_run(a: Asked) -> None:
    """A run's own results do not differ from its declared meaning."""
    found = interp.diagnose(a.module, a.args, a.run(), schedule=a.schedule)
    assert found.first is None
    assert not found.differing


def command(*arguments: Any) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = main([str(x) for x in arguments])
    return status, out.getvalue()


def commands_and_verbs(a: Asked) -> None:
    """A command's JSON and exit status are those of the answer in Python."""
    with TemporaryDirectory() as folder:
        program, inputs = Path(folder) / "program.mlir", Path(folder) / "inputs.npz"
        program.write_text(repr(a.module))
        np.savez(inputs, **{value.name[1:]: x for value, x in zip(a.module.main.inputs, a.args, strict=True)})
        module, options = interp.load(program), ("--schedule", a.schedule, "--json", "-")
        status, text = command("trace", program, inputs, *options)
        t = interp.trace(module, *a.args, schedule=a.schedule, keep=10_000)
        assert json.loads(text) == json.loads(t.to_json())
        status, text = command("run", program, inputs, *options)
        results = interp.run(module, *a.args, schedule=a.schedule)
        assert (status, text) == (0, as_json("run", results, NOTHING))
        status, text = command("prove", program, *options)
        proof = interp.prove(module, schedule=a.schedule)
        assert text == as_json("prove", proof)
        assert bool(status) == any(row.verdict == "refuted" for row in proof.rows)


def verify_and_its_command(module: Module) -> None:
    """The command's status and codes are those of the verb on the program that the text says."""
    wanted = interp.verify(module, "mlir")
    with TemporaryDirectory() as folder:
        program = Path(folder) / "program.mlir"
        program.write_text(repr(module))
        status, text = command("verify", program, "--mode", "mlir", "--json", "-")
    if status == 2:  # the text cannot be read: jaxlib refuses it first
        assert wanted
        return
    assert status == bool(wanted)
    assert [row["code"] for row in json.loads(text)["rows"]] == [error.code for error in wanted]


def compile_lower_and_run(a: Asked) -> None:
    """The compiled program, and the one in primitive operations, give every bit of the run."""
    wanted = [x.storage for x in a.run()]
    lowered = interp.run(interp.lower(a.module, schedule=a.schedule), *a.args)
    compiled = interp.compile(a.module, schedule=a.schedule)(*a.args)
    for x, y, z in zip(wanted, lowered, compiled, strict=True):
        assert np.array_equal(x, y.storage)
        assert np.array_equal(x, np.asarray(z))


def compare_budget_and_survey(a: Asked) -> None:
    """Three verbs measure the same distance from the same reference."""
    report = interp.compare(a.module, *a.args, schedule=a.schedule).results[0]
    budget = a.trace.budget().results[0]
    assert report.largest_error == budget.total.largest
    assert report.disagreeing == budget.total.count
    found = interp.survey(a.module, [a.args], schedule=a.schedule)
    counts = {kind: sum(e.count for e in found.events if e.kind == kind) for kind in OVERFLOWS}
    assert counts == {kind: a.trace.counts[kind] for kind in OVERFLOWS}


def compare_and_budget(a: Asked) -> None:
    """Both speak of the same reference, of each element's error against it, and of its worst element."""
    comparison, budget = interp.compare(a.module, *a.args, schedule=a.schedule), a.trace.budget()
    assert f"({comparison.reference_name}) on {comparison.witness}, " in budget.title
    (report,), (parts,) = comparison.results, budget.results
    wanted = comparison.outputs[0].dequantize().astype(np.float64) - comparison.reference[0]
    assert np.array_equal(budget.total.error, wanted)
    assert (report.largest_error, report.disagreeing) == (budget.total.largest, budget.total.count)
    for rows in (parts.parts, (*parts.before, *parts.switches)):
        for index in np.ndindex(wanted.shape):
            assert sum(row.at(index) for row in rows) == budget.total.at(index)


class Pair(NamedTuple):
    verbs: str
    agree: Callable[[Any], None]
    programs: st.SearchStrategy[Any]
    examples: int = 25
    slow: str = ""


PAIRS = (
    Pair("prove of known arguments = bounds", prove_and_bounds, sums(), 40),
    Pair("bounds = suggested", bounds_and_suggested, sums(), 30),
    Pair("widths = bounds", widths_and_bounds, weighted(), 10),
    Pair("lint = bounds", lint_and_bounds, sums(), 20),
    Pair("matrix = run of with_accumulator", matrix_and_run, sums(), 8),
    Pair("matrix of a contraction = run with accumulator", what_if_and_run, dots(), 15),
    Pair("permits of a run = exact", permits_and_run, REDUCTIONS, 30),
    Pair("permits = verdict", permits_and_verdict, sums()),
    Pair("trace = its groups, summary and JSON", trace_and_its_totals, REDUCTIONS, 25),
    Pair("explain = run", explain_and_run, REDUCTIONS, 25),
    Pair("plan = what runs", plan_and_run, REDUCTIONS, 25),
    Pair("shrink = its event", shrink_and_trace, sums(), 10),
    Pair("prove = trace of its witness", prove_and_trace, sums(), 6),
    Pair("diagnose of a run = no difference", diagnose_and_run, sums(), 15),
    Pair("command = verb", commands_and_verbs, sums(), 4),
    Pair("verify = its command", verify_and_its_command, broken(), 15),
    Pair("compile = lower = run", compile_lower_and_run, sums(), 5, "compiles"),
    Pair("compare = budget = survey", compare_budget_and_survey, sums(QUANTIZED), 5, "compiles references"),
    Pair("compare = budget, clipped at zero", compare_and_budget, layers(), 6, "compiles references"),
)


def row(pair: Pair) -> Any:
    marks = [pytest.mark.slow(pair.slow)] if pair.slow else []
    return pytest.param(pair, id=pair.verbs.replace(" ", "_"), marks=marks)


@pytest.mark.parametrize("pair", [row(pair) for pair in PAIRS])
def test_two_verbs_answer_the_same(pair: Pair) -> None:
    check = settings(max_examples=pair.examples, deadline=None, suppress_health_check=list(HealthCheck))
    check(given(pair.programs)(pair.agree))()
