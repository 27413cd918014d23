"""Slices of a program: some of its operations as a program of their own, on the values that they got.

A program is first made one function without calls. A slice has the operations' own names and locations; the
values that it reads from outside become arguments, and the values that were read outside become results.
Constants are no operations to choose: whoever reads one has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from interp.backends import Array
from interp.comparison.side_by_side import Kept
from interp.engine.tensor import Tensor
from interp.execute.run import run
from interp.rewrite.inlining import inline_and_name, rename_operation
from spec.ir import Func, Module, Op, Region, Value, callee_names, nested_ops, reads, return_only

CONSTANT = "stablehlo.constant"


@dataclass
class Flat:
    """A program as one function without calls and unused operations, and the values of a run of it.

    `names` has the name of each value in the whole program (`@pool/%4`). `results` are those of the run by
    the engine; `values` has every value's stored elements by name.
    """

    module: Module
    names: Mapping[str, str]
    values: dict[str, Array] = field(default_factory=dict)
    results: list[Array] = field(default_factory=list)

    @property
    def func(self) -> Func:
        return self.module.main

    @cached_property
    def ops(self) -> list[Op]:
        """The operations among which a slice chooses, in program order."""
        return [op for op in self.func.body.ops[:-1] if op.name != CONSTANT]

    @cached_property
    def constants(self) -> dict[str, Op]:
        """The constants, by the name of their value."""
        return {op.result.name: op for op in self.func.body.ops[:-1] if op.name == CONSTANT}

    def name(self, op: Op) -> str:
        """Return the name of an operation in the whole program, that of its first result."""
        name = op.results[0].name
        return self.names.get(name, name)


def flat(module: Module, func: Func) -> Flat:
    """Return a program as one function, composites as their decompositions."""
    whole, names = inline_and_name(module, func, composites=True)
    return Flat(_without_unused(whole), names)


def evaluate(program: Flat, args: Sequence[Array], schedule: str, mode: str) -> Flat:
    """Return the program with all values of its function, and its results, by a run of the engine."""
    func = program.func
    wanted = {v.name: v for op in program.ops for v in op.results}
    kept = Kept(wanted)
    results = run(program.module, *args, schedule=schedule, mode=mode, listeners=[kept])
    given = dict(zip((v.name for v in func.inputs), args, strict=True))
    values = {**given, **{name: x.storage for name, x in kept.found.items()}}
    return replace(program, values=values, results=[x.storage for x in results if isinstance(x, Tensor)])


def _without_unused(module: Module) -> Module:
    """Return the module without operations of @main whose results nobody reads."""
    main = module.main
    body = return_only(main.body, main.body.returns)
    return replace(module, functions={**module.functions, main.name: replace(main, body=body)})


def cut(program: Flat, ops: Sequence[Op], wanted: Sequence[Op] = ()) -> tuple[Module, list[Array]]:
    """Return the slice of some operations, in program order, and its arguments.

    wanted: the operations whose results it returns, in place of those that are read outside of it.
    """
    made = {v.name for op in ops for v in op.results}
    outer = {v.name: v for op in ops for v in reads(op) if v.name not in made}
    constants = [op for name, op in program.constants.items() if name in outer]
    inputs = [v for name, v in outer.items() if name not in program.constants]
    arguments = {v.name: replace(v, name=_argument(v, {*made, *outer})) for v in inputs}
    outputs = tuple(v for op in wanted for v in op.results) or _outputs(program, ops)
    body = [*constants, *(rename_operation(op, arguments, "", ()) for op in ops)]
    end = replace(program.func.body.ops[-1], operands=outputs)
    main = replace(
        program.func,
        body=Region(tuple(arguments.values()), (*body, end)),
        results=tuple(v.type for v in outputs),
    )
    functions = {"main": main, **_callees(program.module, ops)}
    module = Module(functions, program.module.dialect, program.module.source)
    return module, [program.values[v.name] for v in inputs]


def _argument(value: Value, taken: set[str]) -> str:
    """Return the name of a value as an argument: an argument cannot be one of several results (`%4#1`)."""
    name = value.name
    while "#" in name or (name != value.name and name in taken):
        name = name.replace("#", "_") if "#" in name else f"{name}_"
    return name


def _outputs(program: Flat, ops: Sequence[Op]) -> tuple[Value, ...]:
    """Return the results that were read outside of the slice, or returned, or that nothing reads."""
    inside = {id(op) for op in ops}
    others = [op for op in program.func.body.ops if id(op) not in inside]
    outside = {v.name for op in others for v in reads(op)}
    read = {v.name for op in ops for v in reads(op)}
    return tuple(v for op in ops for v in op.results if v.name in outside or v.name not in read)


def before(program: Flat, last: Op, depth: int) -> list[Op]:
    """Return an operation and those whose results it reads, and so on, `depth` in a row, in program order."""
    made = {v.name: op for op in program.ops for v in op.results}
    chosen, ends = {id(last)}, [last]
    for _ in range(depth - 1):
        read = [v.name for op in ends for v in reads(op)]
        ends = [op for name in read if (op := made.get(name)) is not None and id(op) not in chosen]
        chosen |= {id(op) for op in ends}
    return [op for op in program.ops if id(op) in chosen]


def _callees(module: Module, ops: Sequence[Op]) -> dict[str, Func]:
    """Return the functions that operations in regions call, and those that these call."""
    reached: dict[str, Func] = {}
    todo = [op for each in ops for op in (each, *(x for region in each.regions for x in nested_ops(region)))]
    while todo:
        for name in callee_names(todo.pop()):
            if name not in reached:
                reached[name] = module[name]
                todo += nested_ops(module[name].body)
    return reached
