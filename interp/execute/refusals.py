"""Refusal of programs that cannot run: unknown sizes, operations without a kernel, several processes."""

from __future__ import annotations

from collections.abc import Iterator

from interp.engine.memo import once
from interp.engine.prepared import unsupported_error
from interp.engine.registry import REGISTERED
from interp.kernels import KERNELS, REFUSALS
from spec.errors import UNKNOWN, Unsupported
from spec.grid import MANUAL
from spec.ir import Func, Module, Op, Region, callees, nested_ops
from spec.rules.verify import RETURNS
from spec.types import is_tensor


def refuse_dynamic(module: Module) -> None:
    """Raise `Unsupported` for a program with unknown sizes."""
    if module.is_dynamic:
        inputs = map(repr, module.main.inputs)
        notes = [note for op in module.ops() if (note := op.attributes.get("backend_config")) and _grows(op)]
        what_to_do = "give arguments, or refine it first: interp.refine(m, x)"
        raise Unsupported("sizes are unknown", "\n".join([what_to_do, *map(str, notes), *inputs]))


def _grows(op: Op) -> bool:
    """Return whether an operation stands for a program of unknown sizes; its configuration says more."""
    return op.name == "stablehlo.custom_call" and any(None in v.type.shape for v in op.results)


# Refusal of programs with operations that have no kernel; one error names all of them before a run.

# Operations that need several processes, or the host: XLA runs a program as one process here.
EAGER = {
    "interpreter.run_parallel",
    *(f"stablehlo.{name}" for name in ("infeed", "outfeed", "recv", "send")),
}
_SHOWN = 20  # places that an error lists
FIX = "`tools/operations.py` prints the ops that are; lower these to those, or report the program"


def refuse_unsupported(module: Module, func: Func) -> None:
    """Raise one `Unsupported` for all operations of `func` and the functions it calls that cannot run."""
    if error := _error(module, func.name, frozenset(REGISTERED)):
        raise error


def refuse_processes(module: Module, func: Func, meshes: bool = False) -> None:
    """Raise `Unsupported` if a function, or one that it calls, needs other processes or the host.

    meshes: whether manual computations are allowed, whose devices do not count as other processes.
    """
    what_to_do = "a compiled program is one process: use interp.run or interp.run_parallel"
    for op in _operations(module, func):
        if op.name in EAGER or (op.name == MANUAL and not meshes):
            raise Unsupported(f"not supported: {op.name} under jit", what_to_do, op.location)


def manual_computations(module: Module, func: Func) -> list[Op]:
    """Return the manual computations of a function and of the functions it calls."""
    return [op for op in _operations(module, func) if op.name == MANUAL]


def _operations(module: Module, func: Func) -> Iterator[Op]:
    for name in (func.name, *sorted(callees(module, func.name))):
        yield from nested_ops(module[name].body)


def refuse_bundles(func: Func, done: str) -> None:
    """Raise `Unsupported` if an argument or a result is a token or a tuple; `done` is the refused action."""
    types = [*(value.type for value in func.inputs), *func.results]
    if others := [repr(type) for type in types if not is_tensor(type)]:
        reason = f"@{func.name} has {others[0]}: expected a function whose arguments and results are tensors"
        raise Unsupported(f"tokens and tuples are not {done}", reason, func.location)


@once
def _error(module: Module, function: str, registered: frozenset[str]) -> Unsupported | None:
    """Return the error, or one that lists several with their places; None if there is none.

    registered: the targets of custom calls that are registered now; part of the cache's key.
    """
    found: dict[str, list[Unsupported]] = {}
    for name in (function, *sorted(callees(module, function))):
        for error in refusals(module[name].body):
            found.setdefault(error.verdict, []).append(error)
    if not found:
        return None
    first, *others = [same[0] for same in found.values()]
    if not others:
        same = found[first.verdict]
        times = f"{len(same)} times: {_places(same)}\n" if len(same) > 1 else ""
        return Unsupported(first.verdict, times + first.evidence, first.where)
    lines = "\n".join(map(_line, found.values()))
    return Unsupported(f"{len(found)} operations are not built", f"{lines}\n{FIX}", first.where)


def _line(same: list[Unsupported]) -> str:
    place = "" if same[0].where == UNKNOWN else f" at {_places(same)}"
    times = f"{len(same)} times" if len(same) > 1 else "once"
    return f"{same[0].verdict}: {times}{place}"


def _places(same: list[Unsupported]) -> str:
    """Return the places of equal errors; if they are very many, only the first ones."""
    return ", ".join(str(error.where) for error in same[:_SHOWN]) + ", ..." * (len(same) > _SHOWN)


def refusals(region: Region) -> Iterator[Unsupported]:
    """Yield the operations of a region that no kernel can run, without looking inside them."""
    for op in region.ops:
        if op.name in RETURNS:
            continue
        if error := refusal(op):
            yield error
        else:
            for inner in op.regions:
                yield from refusals(inner)


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why no kernel can run this operation, or None if one can."""
    if op.name not in KERNELS:
        return unsupported_error(op)
    return REFUSALS[op.name](op) if op.name in REFUSALS else None
