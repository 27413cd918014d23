"""`refine`: a program made static for given arguments; and the refusal of operations that have no kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from interp.engine.arguments import complete
from interp.engine.memo import once
from interp.engine.prepared import unsupported_error
from interp.engine.registry import REGISTERED
from interp.kernels import KERNELS, REFUSALS
from spec.errors import UNKNOWN, InterpError, Malformed, Unsupported
from spec.grid import MANUAL
from spec.ir import Func, Module, Op, Region, Value, callees, nested_ops
from spec.rules.verify import RETURNS
from spec.types import TensorType, is_tensor


def refine(module: Module, *args: Any) -> Module:
    """Return the program for arguments of these shapes, with all sizes known; a static program is unchanged.

    args: arrays, or types as text (`"tensor<8x4xf32>"`), for the parameters of @main. Sizes may also depend
    on the value of a 0-d integer argument, which becomes a constant of the refined program. Raises
    `Malformed` if the shapes do not fit the parameters' types or violate an assertion of the exporter, and
    `Unsupported` if sizes depend on anything else.
    """
    if not module.is_dynamic:
        return module
    main = module.main
    args = tuple(complete(main, args))
    types = tuple(_type(x, parameter) for x, parameter in zip(args, main.inputs, strict=True))
    pairs = enumerate(zip(args, main.inputs, strict=True))
    constants = tuple((k, text) for k, (x, v) in pairs if (text := _constant(x, v)))
    return _refine(module, types, constants)


def refuse_dynamic(module: Module) -> None:
    """Raise `Unsupported` for a program with unknown sizes."""
    if module.is_dynamic:
        inputs = "\n".join(map(repr, module.main.inputs))
        what_to_do = f"give arguments, or refine it first: interp.refine(m, x)\n{inputs}"
        raise Unsupported("sizes are unknown", what_to_do)


@once
def _refine(module: Module, types: Sequence[str], constants: Sequence[tuple[int, str]]) -> Module:
    from interp.loading.warm import WORKER

    if module.unrefined is None:
        raise Unsupported("sizes are unknown", "load the program from a file, bytes or text to refine it")
    refined: Module = WORKER.request(*module.unrefined, (types, dict(constants)))
    if not isinstance(module.reference, Module):
        return replace(refined, reference=None, origin=module.origin)
    reference = _reference(module.reference, types)
    lost = "" if reference else " is lost: its sizes do not follow from those of the arguments"
    return replace(refined, reference=reference, origin=module.origin + lost)


def _reference(reference: Module, types: Sequence[str]) -> Module | None:
    """Return a float reference for arguments of these shapes; None if it does not take them."""
    from spec.types import parse_type

    shapes = [getattr(parse_type(text), "shape", ()) for text in types]
    if len(shapes) != len(reference.main.inputs):
        return None
    given = zip(shapes, reference.main.inputs, strict=True)
    try:
        return refine(reference, *(repr(TensorType(shape, v.type.element_type)) for shape, v in given))
    except InterpError:
        return None


def _type(x: Any, parameter: Value) -> str:
    """Return the type of an argument as text; `Malformed` if it does not fit the parameter.

    Tokens and tuples have no sizes to fit.
    """
    import numpy as np

    from spec.types import parse_type

    if not is_tensor(parameter.type):
        return repr(parameter.type)
    given = parse_type(x) if isinstance(x, str) else TensorType(np.shape(x), parameter.type.element_type)
    shape, bounds = parameter.type.shape, parameter.type.bounds or (None,) * parameter.type.rank
    fits = len(given.shape) == len(shape) and all(
        wanted in (None, size) and (bound is None or size is None or size <= bound)
        for size, wanted, bound in zip(given.shape, shape, bounds, strict=True)
    )
    if not fits or given.element_type != parameter.type.element_type or None in given.shape:
        evidence = f"expected {parameter.type!r}\ngot {given!r}"
        raise Malformed(f"argument {parameter.title} has another shape", evidence)
    return repr(given)


def _constant(x: Any, parameter: Value) -> str:
    """Return a 0-d integer argument as the text of an attribute, any other as ""."""
    type = parameter.type
    if isinstance(x, str) or type.rank or type.is_quantized or type.tensor_element_type.kind == "float":
        return ""
    if not type.tensor_element_type.is_integer:
        return ""
    return f"dense<{int(x)}> : {type!r}"


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
