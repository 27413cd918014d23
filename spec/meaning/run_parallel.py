"""interpreter.run_parallel, which runs functions of its module on a process grid."""

from __future__ import annotations

from collections.abc import Sequence

from spec.grid import Grid
from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor
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


GRID_MEANINGS: dict[str, Meaning] = {"interpreter.run_parallel": run_parallel}
