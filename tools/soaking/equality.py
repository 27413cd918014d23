"""Engine against oracle, and compiled against engine: bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import interp
from soaking.drawing import COMPILED, Trial
from soaking.outcome import Counts, Finding, claiming
from spec.evaluate import evaluate
from spec.ir import Func, Module, Op, Region, Value
from spec.schedule import Schedule
from tests.programs import Program
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


def joined(programs: Sequence[Program]) -> Program:
    """Return one program that computes what several do, side by side: it compiles in less time than they."""
    arguments: list[Value] = []
    ops: list[Op] = []
    results: list[Value] = []
    for k, (module, _) in enumerate(programs):
        region = prefixed(module.main.body, f"p{k}_")
        arguments += region.arguments
        ops += region.ops[:-1]
        results += region.returns
    body = Region(tuple(arguments), (*ops, Op("func.return", tuple(results), ())))
    args = tuple(x for program in programs for x in program.args)
    return Program(Module({"main": Func("main", body, tuple(v.type for v in results))}), args)


def prefixed(region: Region, prefix: str) -> Region:
    """Return the region with other names for all its values."""

    def renamed(values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(Value(f"%{prefix}{v.name[1:]}", v.type) for v in values)

    ops = tuple(
        replace(
            op,
            operands=renamed(op.operands),
            results=renamed(op.results),
            regions=tuple(prefixed(inner, prefix) for inner in op.regions),
        )
        for op in region.ops
    )
    return Region(renamed(region.arguments), ops)
