"""Programs that must notice a mutant, with results that do not come from the engine.

The conformance cases bring their expectations; random programs of every family get theirs from the oracle.
Made once and kept below `build/` until the oracle, the generators or the cases change.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mutation.operators import ROOT
from spec import schedule
from spec.ir import Module

SCHEDULES = (schedule.LEFT, schedule.BALANCED, schedule.random(3), schedule.blocks(2))
INPUTS = ("spec/**/*.py", "tests/library/**/*programs.py", "tests/test_engine.py", "testdata/*/*.mlir")
WEIGHTS = {"plain": 8, "conversion": 4, "choice": 3, "specials": 10}  # families of many operations
COMPILED = 3  # programs per family that also run through XLA


class Entry(NamedTuple):
    """`compiled`: the engine's compiled form gives the same results, and has to."""

    name: str
    module: Module
    args: tuple[np.ndarray, ...]
    schedule: schedule.Schedule
    expected: tuple[np.ndarray, ...]
    compiled: bool = False


def load(size: int) -> list[Entry]:
    """Return the corpus with `size` random programs of each family, from the file where it is kept."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for file in sorted(path for pattern in INPUTS for path in ROOT.glob(pattern)):
        digest.update(file.read_bytes())
    kept = ROOT / "build" / f"mutate-{size}-{digest.hexdigest()[:16]}.pickle"
    if not kept.exists():
        maker = get_context("fork").Process(target=_write, args=(kept, size))
        maker.start()
        maker.join()
    return pickle.loads(kept.read_bytes())


def _write(kept: Path, size: int) -> None:
    """Write the corpus in a process of its own, since jaxlib starts threads."""
    from interp.engine.files import write_bytes

    entries = [*cases(), *(_also_compiled(list(programs(size))))]
    kept.parent.mkdir(exist_ok=True)
    write_bytes(kept, pickle.dumps(entries))


def cases() -> Iterator[Entry]:
    """Yield the conformance cases that run: each expectation under its schedule."""
    from interp.apps.suite.cases import discover
    from interp.loading.load import load

    for case in discover(ROOT / "testdata"):
        if case.args is None or not case.expect:
            continue
        module = load(case.text, dialect=case.dialect)
        answers = {"left": case.expect, **{answer.name: answer.results for answer in case.permitted}}
        for tree in (schedule.LEFT, schedule.BALANCED):
            if tree.name in answers:
                yield Entry(f"{case.id} {tree}", module, case.args, tree, answers[tree.name])


def programs(size: int) -> Iterator[Entry]:
    """Yield `size` random programs of each family with the oracle's results, schedule after schedule."""
    from spec.meaning.evaluate import evaluate
    from tests import test_engine
    from tests.library.strategies import (
        dynamic_programs,
        indexing_programs,
        kernel_programs,
        op_programs,
        sorting_programs,
    )
    from tests.library.strategies.programs import (
        Program,
        leaves,
        reduce_windows,
        reduces,
        select_and_scatters,
    )

    reductions = {"reduce": reduces(), "window": reduce_windows(), "scatter": select_and_scatters()}
    indexing = {"gather": indexing_programs.gathers(), "slice": indexing_programs.dynamic_slices()}
    indexing |= sorting_programs.FAMILIES | dynamic_programs.FAMILIES
    families = {**reductions, **op_programs.FAMILIES, **indexing, **kernel_programs.FAMILIES}
    drawn = {f: examples(strategy, size * WEIGHTS.get(f, 1)) for f, strategy in families.items()}
    for family, found in {**drawn, "edges": list(kernel_programs.tables())}.items():
        for k, (module, args) in enumerate(found):
            if family in reductions and leaves(Program(module, args)) >= 500:
                continue
            tree = SCHEDULES[k % len(SCHEDULES)]
            inputs = zip(args, module.main.inputs, strict=True)
            results = evaluate(module, [test_engine.oracle_tensor(x, v.type) for x, v in inputs], tree)
            yield Entry(f"{family} {k}", module, args, tree, tuple(map(test_engine.stored, results)))


def examples(strategy, size: int) -> list:
    """Return the first examples of a strategy, the same each time."""
    from hypothesis import Phase, given, seed, settings

    from tests.test_engine import RANDOM

    found = []

    @seed(1)
    @settings(RANDOM, max_examples=size, phases=[Phase.generate])
    @given(strategy)
    def keep(program) -> None:
        found.append(program)

    keep()
    return found


def _also_compiled(entries: list[Entry]) -> list[Entry]:
    """Some of each family marked for XLA: those that agree there, which flushes subnormals."""
    marked, left = [], {}
    for entry in entries:
        family = entry.name.split()[0]
        wanted = entry.schedule in (schedule.LEFT, schedule.BALANCED) and any(x.size for x in entry.expected)
        if wanted and left.setdefault(family, COMPILED) and passes(entry, compiled=True):
            left[family] -= 1
            entry = entry._replace(compiled=True)
        marked.append(entry)
    return marked


def passes(entry: Entry, compiled: bool = False) -> bool:
    """Return whether the engine gives the expected results; no is also any error."""
    from interp.apps.suite.cases import same

    try:
        results = _compiled(entry) if compiled else _eager(entry)
        return all(same(x, y) for x, y in zip(results, entry.expected, strict=True))
    except Exception:
        return False


def _eager(entry: Entry) -> list[np.ndarray]:
    """Run as `interp.run` does after verification, which no kernel takes part in."""
    from interp.backends import NUMPY
    from interp.engine.evaluate import Context
    from interp.kernels import OPERATIONS

    main = entry.module.main
    carried = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(entry.args, main.inputs, strict=True)]
    with np.errstate(all="ignore"):
        results = Context(NUMPY, entry.module, entry.schedule, OPERATIONS).call(main.name, carried)
        return [NUMPY.encode(x, t.storage_type) for x, t in zip(results, main.results, strict=True)]


def _compiled(entry: Entry) -> list[np.ndarray]:
    from interp.execute.compile import compile

    return [np.asarray(x) for x in compile(entry.module, schedule=entry.schedule)(*entry.args)]
