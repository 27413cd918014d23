"""`lower`: a program as plain StableHLO, without quantized types, with the same bits (see `compile`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from interp.engine.arguments import function_named
from interp.engine.files import write_bytes
from interp.execute.accumulating import schedule_of
from interp.execute.run import refuse_violations
from interp.execute.unused import note_unused, unused_options
from interp.loading.load import beside
from interp.loading.on_demand import on_demand
from interp.loading.unknown_operations import refuse_to_serialize
from interp.recorder.layers import location_in, path_of
from spec.accumulator import Reading, is_width, reading_named
from spec.errors import UNKNOWN, Location, Malformed, Unsupported
from spec.ir import NAMED, Func, Mention, Module, Op, Region, Value, callee_names, module_text
from spec.rules.verify import refuse_other
from spec.schedule import Schedule

# What JAX has of its own dialect, as StableHLO; nothing computed twice or for nothing.
PASSES = "builtin.module(func.func(chlo-legalize-to-stablehlo),canonicalize,cse)"
_MARK = re.compile(r"interp:(\d+)")
_VERSION = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}")


def lower(
    module: Module,
    *,
    schedule: str | Schedule = "left",
    function: str | None = None,
    mode: str = "mlir",
    contractions: str = "fold",
    reading: str | Reading = "dequantize",
    accumulator: Any = None,
    recipe: str | None = None,
) -> Module:
    """Return all public functions of a program, or one, with storage types in place of quantized types.

    The result has the bits of `run` except where `AGREEMENT` has a row. schedule: as for `compile`. reading,
    accumulator: as for `run`; of accumulations those that are one of these schedules, as for `compile`.
    """
    from interp.execute.compile import lower_to_jax

    refuse_other(module)
    read = reading_named(reading, None, recipe)
    is_own = read.is_integer and is_width(accumulator)
    read, along = reading_named(read, accumulator if is_own else None), None if is_own else accumulator
    names = [function] if function is not None else [f.name for f in module.functions.values() if f.public]
    refuse_violations(module, mode)
    funcs = [function_named(module, name).name for name in names]
    if any(unused_options(module, name, read).holds for name in funcs):
        for name in funcs:
            note_unused(module, name, read)
        read = read._replace(is_asked=False)  # it is enough that one of the functions uses the accumulator
    functions = {}
    for name in names:
        ways: dict[str, Any] = {"mode": mode, "contractions": contractions, "reading": read}
        order = schedule if along is None else schedule_of(module, name, schedule, along, "lowered")
        marks = Marks(module)
        jax = lower_to_jax(module, schedule=order, function=name, scope=marks.scope, **ways)
        functions[name] = replace(inline_main(_import_lowered(jax), marks.location), name=name)
    return Module(functions, source=module.source)


def artifact(module: Module, target: str | None = None, text: str | None = None) -> bytes:
    """Return a program's StableHLO portable artifact, for readers of version `target` (default: jaxlib's).

    text: the program's text, if it has more than is printed.
    """
    from jaxlib.mlir.dialects import stablehlo

    refuse_to_serialize(module)
    _refuse_blocks(module)
    oldest, newest = stablehlo.get_minimum_version(), stablehlo.get_current_version()
    target = target or newest
    if not _VERSION.fullmatch(target) or not _numbers(oldest) <= _numbers(target) <= _numbers(newest):
        raise Malformed(f"no StableHLO version {target}", f"versions: {oldest} to {newest}")
    try:
        return stablehlo.serialize_portable_artifact_str(text or module_text(module, NAMED), target)
    except Exception as error:  # jaxlib raises one or the other, by release
        raise Unsupported(f"the program needs a later StableHLO than {target}", str(error)) from None


def _refuse_blocks(module: Module) -> None:
    """Raise `Unsupported` for types with a scale per block, which the writer's verifier refuses."""
    for op in module.ops():
        for v in (*op.operands, *op.results):
            if getattr(getattr(v.type, "element_type", None), "block_sizes", None) is not None:
                advice = "jaxlib, which writes it, takes them in no operation: save text, in a .mlir file"
                raise Unsupported("a portable artifact with scales per block", advice, op.location)


def _numbers(version: str) -> list[int]:
    return list(map(int, version.split(".")))


def save(module: Module, path: Path, target: str | None = None) -> None:
    """Write a file: the portable artifact for `.mlirbc`, a LiteRT model for `.tflite`, else MLIR text.

    A program's float reference is written beside it, and the program names that file and its digest; not for
    LiteRT, whose operators say what they stand for.
    """
    if path.suffix != ".mlirbc" and target is not None:
        raise Malformed(f"text has no version {target}", "a portable artifact has: name the file .mlirbc")
    if path.suffix == ".tflite":
        on_demand("write_litert")(module, path)
        return
    mention = None
    if isinstance(module.reference, Module):
        data = _file_bytes(module.reference, path, target, None)
        write_bytes(beside(path), data)
        mention = Mention(beside(path).name, sha256(data).hexdigest(), module.origin)
    write_bytes(path, _file_bytes(module, path, target, mention))


def _file_bytes(module: Module, path: Path, target: str | None, mention: Mention | None) -> bytes:
    """Return the bytes of a file for a program, which may mention that of its float reference."""
    text = module_text(module, NAMED, mention)
    return artifact(module, target, text) if path.suffix == ".mlirbc" else f"{text}\n".encode()


class Marks:
    """Marks of a program's operations: scopes for JAX by whose names the layer of what it writes is found."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.paths: dict[tuple[str, ...], int] = {}

    def scope(self, op: Op) -> str:
        """Return the mark of an operation's layer."""
        path = path_of(self.module, op)
        return f"interp:{self.paths.setdefault(path, len(self.paths))}"

    def location(self, op: Op) -> Location:
        """Return the location that says the layer of an operation that JAX wrote at a mark."""
        mark = _MARK.fullmatch(op.location.name)
        return location_in(list(self.paths)[int(mark[1])], op) if mark else UNKNOWN


def _keep_marks(module: Any) -> None:
    """Leave only the innermost mark of each location: else each has a place of ours, and all its callers."""
    from jaxlib.mlir import ir

    def keep_mark(op: Any) -> Any:
        marks = _MARK.findall(getattr(op.location, "name_str", None) or "")
        op.location = ir.Location.name(f"interp:{marks[-1]}") if marks else ir.Location.unknown()
        return ir.WalkResult.ADVANCE

    module.operation.walk(keep_mark)


def _import_lowered(jax: Any) -> Module:
    """Import the program of a `jax.stages.Lowered`, without duplicates and dead code, its places marks."""
    from jaxlib.mlir import passmanager
    from jaxlib.mlir.dialects import stablehlo

    from interp.loading.load import load

    stablehlo.register_stablehlo_passes()
    program = jax.compiler_ir("stablehlo")
    with program.context:
        _keep_marks(program)
        passmanager.PassManager.parse(PASSES).run(program.operation)
    return load(jax)


def inline_main(module: Module, place: Callable[[Op], Location]) -> Func:
    """Return the main function with calls replaced by the bodies of the functions that they name.

    place: returns the location of an operation; one that has none gets that of the call.
    """
    numbers = count()

    def fresh(values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return new values of the same types: `%3`, or `%3#0`, `%3#1`, ... of one operation."""
        stem = f"%{next(numbers)}"
        names = [stem] if len(values) == 1 else [f"{stem}#{k}" for k in range(len(values))]
        return tuple(Value(name, v.type) for name, v in zip(names, values, strict=True))

    def ops(region: Region, env: dict[str, Value], call: Op | None = None) -> Iterator[Op]:
        """Yield the operations of a region, which `call` runs; `env` has their values by their old names."""
        for op in region.ops:
            op = op if call is None or op.location.name else replace(op, location=call.location)
            operands = tuple(env[v.name] for v in op.operands)
            if names := callee_names(op):
                body = module[names[0]].body
                inner = dict(zip((v.name for v in body.arguments), operands, strict=True))
                *copied, end = ops(body, inner, op)
                yield from copied
                results = end.operands
            else:
                results = fresh(op.results) if op.results else ()
                regions = tuple(copy(inner, env, op) for inner in op.regions)
                yield replace(op, operands=operands, results=results, regions=regions, location=place(op))
            env.update(zip((v.name for v in op.results), results, strict=True))

    def copy(region: Region, outer: Mapping[str, Value], op: Op) -> Region:
        arguments = tuple(fresh((v,))[0] for v in region.arguments)
        env = {**outer, **dict(zip((v.name for v in region.arguments), arguments, strict=True))}
        return Region(arguments, tuple(ops(region, env, op)))

    main = module.main
    env = {v.name: Value(f"%arg{i}", v.type) for i, v in enumerate(main.inputs)}
    body = Region(tuple(env.values()), tuple(ops(main.body, env)))
    return replace(main, body=body, location=UNKNOWN)
