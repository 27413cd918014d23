"""Engine against oracle, and compiled against engine: bit for bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import interp
from soaking.drawing import COMPILED, Trial
from soaking.outcome import Counts, Finding, claiming
from spec.meaning.evaluate import evaluate
from spec.schedule import Schedule
from tests.library.strategies.programs import Program
from tests.test_compile import MeetsSubnormal
from tests.test_engine import oracle_tensor, same, stored

Results = Sequence[np.ndarray]
UNKNOWN_TO_XLA = {"f6E2M3FN", "f6E3M2FN"}


def against_oracle(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` unless the engine gives what the oracle gives."""
    module, args = trial.program
    with claiming("engine"):
        ours = [out.storage for out in interp.run(module, *args, schedule=trial.schedule)]
    with claiming("oracle"):
        given = [oracle_tensor(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)]
        theirs = [stored(out) for out in evaluate(module, given, trial.schedule)]
    unequal("engine", "engine", ours, "oracle", theirs)
    counts["programs run"] += 1


def unequal(kind: str, left: str, ours: Results, right: str, theirs: Results) -> None:
    """Raise `Finding` where results differ in a bit."""
    for k, (x, y) in enumerate(zip(ours, theirs, strict=True)):
        if not same(x, np.asarray(y)):
            evidence = f"{left} {x.tolist()!r}\n{right} {np.asarray(y).tolist()!r}\nresult {k} differs"
            raise Finding(kind, evidence)


def can_compile(trial: Trial) -> bool:
    """Return whether its schedule is one that `compile` takes, XLA has its types, and it has elements."""
    main = trial.program.module.main
    types = [*(value.type for value in main.inputs), *main.results]
    known = all(type.storage_type.name not in UNKNOWN_TO_XLA for type in types)
    return known and repr(trial.schedule) in COMPILED and any(type.size for type in main.results)


def compiled(program: Program, schedule: Schedule, counts: Counts) -> None:
    """Raise `Finding` unless the compiled program gives what the engine gives, but for `AGREEMENT`."""
    watch = MeetsSubnormal()
    eager = interp.run(program.module, *program.args, schedule=schedule, listeners=[watch])
    if watch.met:
        counts["programs with f64 subnormals, not compiled"] += 1
        return
    with claiming("compile"):
        results = interp.compile(program.module, schedule=schedule)(*program.args)
    unequal("compile", "engine", [out.storage for out in eager], "compiled", list(map(np.asarray, results)))
