"""`judge`: which layers of a device computed what the program says, by a dump of its tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from zlib import crc32

import numpy as np

from interp.apps.diagnosing.diagnose import SECONDS, diagnose
from interp.apps.diagnosing.diagnosis import Diagnosis
from interp.apps.judging.dump import Dump, read_dump
from interp.apps.judging.judgement import JudgedLayer, Judgement
from interp.apps.judging.layers import Layer, Left, find_layers
from interp.apps.judging.rows import Rows, choose_rows, number_of_leaves
from interp.apps.judging.verdicts import FAULTS, RANK, Asked, Verdicts, judge_rows, ways_of
from interp.backends import Array
from interp.engine.work import Progress, Work
from interp.execute.along import is_sum
from interp.execute.refusals import refuse_bundles
from interp.execute.run import runnable
from interp.execute.unused import unused_options
from interp.kernels import folds
from interp.recorder.event import heading
from spec.accumulator import READINGS, Reading, reading_named
from spec.errors import InterpError, Malformed, one_of, several, whole
from spec.grid import ONE
from spec.ir import Func, Module
from spec.schedule import parse

ELEMENTS, RISK = 1000, 1e-9
SCHEDULES = ("left", "balanced", "blocks(32)")
EVIDENCE = 32  # wrong elements by which a deviation is sought, and as many others
Evidence = tuple[Rows, Verdicts]
LEAVES = 1 << 21  # of the sums of elements by which it is sought


def judge(
    module: Module,
    dump: Any,
    *,
    function: str = "main",
    mode: str = "mlir",
    readings: Sequence[str] | str | None = None,
    schedules: Sequence[str] | str = SCHEDULES,
    recipes: Sequence[str] | str = (),
    accumulations: Sequence[str] | str = (),
    elements: int | None = ELEMENTS,
    seed: int = 0,
    risk: float = RISK,
    explain: bool = True,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Judgement:
    """Return which layers of a device computed what the program says, by the tensors that it had.

    dump: a folder of .npy and .npz files, an archive, a mapping in .json, or arrays by name. A name is that
    of a value (`%4`, `4`), of an argument or a result (`arg0`, `out0`), or of a layer, with `.in0` or `.out0`
    behind it for what the layer itself had. A layer computes a value of the dump from others and constants;
    it is judged on the inputs that the device had, so that a fault of one layer is not seen in the next.
    A layer without files is listed in `left`.

    Of each layer, `elements` are drawn without replacement, None for all, and recomputed exactly in each of
    the `readings` (default: all, or the module's own) and `schedules`; and by the `recipes` and along the
    `accumulations` that are asked for, which are outside the specification unless a schedule gives the same.
    The verdicts are those of `interp/apps/judging/verdicts.py`. "wrong" is a proof. "improbable" has a
    premise, that each rounding errs by 0 on average, whatever those before it did: then a layer without a
    fault has such an element with a probability of at most `risk`.

    explain: whether `diagnose` looks for the deviation of the first layer with a fault. seconds: the
    deadline; progress: called with what is done, how much of it, and of how much.
    """
    work = Work(seconds, progress)
    own = module.defaults
    usual = (own.reading,) if own else tuple(READINGS)
    asked = _check_options(
        usual if readings is None else readings, schedules, recipes, accumulations, mode, risk
    )
    asked = asked._replace(own=own.recipe if own else "")
    drawn = None if elements is None else whole(elements, "elements")
    func = runnable(module, function, mode, ONE, Reading())
    refuse_bundles(func, "judged")
    files = read_dump(dump)
    layers, left, unknown = find_layers(module, func, list(files.readers))
    judged, unread, first = _judge_layers(
        layers, lambda layer: _judge(layer, files, asked, drawn, seed), work
    )
    diagnosis = work.attempt(lambda: _explain(*first, files, asked, work)) if first and explain else None
    is_integer = "integer" in (readings or ()) or bool(asked.recipes)
    reading = reading_named("integer" if is_integer else "dequantize", None, (*asked.recipes, None)[0])
    said = unused_options(module, func.name, reading)
    return Judgement(
        func.name,
        files.title,
        tuple(judged),
        (*left, *unread),
        tuple(unknown),
        diagnosis,
        seed,
        risk,
        said,
        _notes(module, func, asked, judged),
        tuple(work.covered),
    )


def _judge_layers(
    layers: Sequence[Layer], judge_layer: Callable[[Layer], tuple[JudgedLayer, Evidence]], work: Work
) -> tuple[list[JudgedLayer], list[Left], tuple[Layer, Evidence] | None]:
    """Return the layers that there was time for, those that cannot be judged, and the first with a fault.

    The evidence of that one alone is kept: it has the numbers of all rows.
    """
    judged, left, first = list[JudgedLayer](), list[Left](), None
    for layer in work.through("layers", layers):
        try:
            found = work.attempt(lambda layer=layer: judge_layer(layer))  # type: ignore[misc]
        except InterpError as error:
            left.append(
                Left(layer.name, ": ".join(filter(None, [error.verdict, _in_a_line(error.evidence)])))
            )
            continue
        if found is None:
            break
        judged.append(found[0])
        if first is None and found[0].is_faulty:
            first = layer, found[1]
    return judged, left, first


def _in_a_line(text: str) -> str:
    return text.replace("\n", ", ")


def _notes(module: Module, func: Func, asked: Asked, judged: Sequence[JudgedLayer]) -> tuple[str, ...]:
    """Return what was asked for and not used, and ways that could not run."""
    is_idle = asked.accumulations and not any(is_sum(op) for op in folds(module, func.body))
    names = ", ".join(asked.accumulations)
    idle = [f"the accumulation {names} is not used: the program has no sum"] if is_idle else []
    failures = dict.fromkeys(text for layer in judged for text in layer.failures)
    return (*idle, *(f"could not run: {text}" for text in failures))


def _check_options(
    readings: Any, schedules: Any, recipes: Any, accumulations: Any, mode: str, risk: float
) -> Asked:
    """Return what is asked for, checked."""
    names = [one_of(READINGS, name, "reading") for name in several(readings, "readings")]
    trees = [repr(parse(tree)) for tree in several(schedules, "schedules")]
    if not names or not trees:
        raise Malformed("nothing to compare with", "expected at least one reading and one schedule")
    if not 0 < risk < 1:
        raise Malformed(f"risk={risk}", "expected a probability between 0 and 1")
    recipe = [reading_named("integer", None, name).recipe for name in several(recipes, "recipes")]
    others = [str(each) for each in several(accumulations, "accumulations")]
    return Asked(tuple(names), tuple(trees), tuple(recipe), tuple(others), mode, risk)


def _judge(
    layer: Layer, dump: Dump, asked: Asked, elements: int | None, seed: int
) -> tuple[JudgedLayer, Evidence]:
    """Return the judgement of one layer, and its evidence."""
    size = layer.value.type.size
    rng = np.random.default_rng([seed, crc32(layer.name.encode())])
    many = size if elements is None else min(size, elements)
    at = np.sort(rng.choice(size, many, replace=False, shuffle=False)) if many < size else np.arange(size)
    rows = choose_rows(layer, dump, at)
    found = judge_rows(rows, asked)
    return _report(layer, rows, found, size, asked), (rows, found)


def _report(layer: Layer, rows: Rows, found: Verdicts, size: int, asked: Asked) -> JudgedLayer:
    op = next(each for each in layer.ops if any(v.name == layer.value.name for v in each.results))
    index, given, expected, reason = tuple[int, ...](), None, None, ""
    if found.kinds.size and found.kinds.max() > RANK["permitted"]:
        k = int(np.argmax(found.kinds))
        index = tuple(map(int, np.unravel_index(rows.at[k], layer.value.type.shape)))
        given, reason = rows.numbers[k].item(), found.reasons.get(k, "")
        expected = _first_number(rows.pick(np.array([k])), asked)
    return JudgedLayer(
        layer.name,
        layer.value.name,
        heading(op),
        layer.output,
        size,
        len(rows.at),
        found.worst,
        found.counts,
        found.reading,
        found.ways,
        index,
        given,
        expected,
        reason,
        found.narrower,
        found.failures,
    )


def _first_number(row: Rows, asked: Asked) -> Any:
    """Return the number that the first way gives which can run, None if none can."""
    for way in ways_of(row.module, asked):
        with suppress(InterpError):
            return row.run(mode=asked.mode, **way.options)[0].item()
    return None


def _explain(layer: Layer, evidence: Evidence, dump: Dump, asked: Asked, work: Work) -> Diagnosis:
    """Return the deviation that gives a layer's elements: all that were drawn, or some of a large layer."""
    rows, found = evidence
    if number_of_leaves(rows.module) > LEAVES:
        wrong = np.flatnonzero(found.kinds >= RANK[FAULTS[0]])[:EVIDENCE]
        others = np.flatnonzero(found.kinds < RANK[FAULTS[0]])[:EVIDENCE]
        few: Array = np.sort(np.concatenate([wrong, others]))
        rows = rows.pick(few)
    seconds = min(SECONDS, work.left)
    reading = found.reading if found.reading in READINGS else asked.readings[0]
    return diagnose(rows.module, rows.args, [rows.given], reading=reading, mode=asked.mode, seconds=seconds)
