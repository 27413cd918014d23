"""interpreter.run_parallel, which runs functions of its module on a process grid."""

from __future__ import annotations

from collections.abc import Sequence

from spec.constraint import C, Input, OpSpec
from spec.context import Context, Results
from spec.grid import Grid
from spec.index import Tensor
from spec.ir import Func, Module, Op
from spec.processes import take_turns
from spec.program_grid import infeed, programs


def run_parallel(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = results of programs[replica_id][partition_id]; each takes the next operands in turn"""
    names = programs(op)
    grid = Grid(len(names), len(names[0]))
    payloads = [context.call(name, ()) for name in infeed(op)]
    rest, tasks = list(operands), {}
    for id in grid.process_ids:
        name = names[id[0]][id[1]]
        count = len(context.module[name].inputs)
        args, rest = rest[:count], rest[count:]
        tasks[id] = lambda process, name=name, args=args: context.at(process).call(name, args)
    done = take_turns(grid, tasks, dict.fromkeys(grid.process_ids, payloads))
    return tuple(x for results, _ in done.values() for x in results)


def is_rectangle(op: Op) -> bool:
    rows = programs(op)
    return bool(rows and rows[0]) and {len(row) for row in rows} == {len(rows[0])}


RUN_PARALLEL = (
    Input(1, "programs: a list of lists of functions, all of one size", is_rectangle, "programs"),
)

# Its operands and results are judged together with its module.
COUNTS = (
    C(
        1,
        "the operands and results are those of all programs, one after the other",
        lambda call: (
            [v.type for v in call[0].operands] == [v.type for f in functions(*call) for v in f.inputs]
            and [v.type for v in call[0].results] == [type for f in functions(*call) for type in f.results]
        ),
    ),
)


def functions(op: Op, module: Module) -> list[Func]:
    """Return the function of each process."""
    return [module[name] for row in programs(op) for name in row]


OPS = {"interpreter.run_parallel": OpSpec(RUN_PARALLEL, run_parallel, bundles=True)}
