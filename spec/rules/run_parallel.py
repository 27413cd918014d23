"""The constraint rows of interpreter.run_parallel, which runs functions of its module on a process grid."""

from __future__ import annotations

from spec.ir import Func, Module, Op
from spec.program_grid import programs
from spec.rules.constraint import C, Constraint, Input


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
            [v.type for v in call[0].operands] == [v.type for f in grid_functions(*call) for v in f.inputs]
            and [v.type for v in call[0].results] == [type for f in grid_functions(*call) for type in f.results]
        ),
    ),
)


def grid_functions(op: Op, module: Module) -> list[Func]:
    """Return the function of each process."""
    return [module[name] for row in programs(op) for name in row]


GRID_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {"interpreter.run_parallel": RUN_PARALLEL}
