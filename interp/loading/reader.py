"""Reader of text and bytecode with jaxlib as parser and verifier, in the child process of `warm.py`.

Only this file and `ir_import.py` import jaxlib.mlir to read programs. Stock jaxlib does not know `!quant`:
running the pass `vhlo-legalize-to-stablehlo` on an empty module loads that dialect into the context. That is
an accident of the pass's dependencies, so `_load_quantized` tests for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import jaxlib
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _chlo, _jax_mlir_ext, _sdy, _stablehlo

from interp.loading import rfc, unknown_operations
from interp.loading.exporters import as_manual, as_quantized
from interp.loading.ir_import import import_module, keep_places, location
from interp.loading.legalize import is_rewritten, legalize, rename_mhlo, without_verifier
from interp.loading.on_demand import Arguments
from interp.loading.refine import all_static, is_static, main_of, refine
from interp.loading.source import HIDDEN, closing, excerpt, locate_operations, without_locations
from interp.loading.unknown_operations import as_custom_call, as_custom_calls
from spec.errors import UNKNOWN, InterpError, Location, Malformed, Unsupported
from spec.ir import Module

# Reader of the pretty form without jaxlib's checks: jaxlib prints the generic form of what it has parsed.
#
# jaxlib verifies what it parses, and has no option against that. But it verifies an operation before those
# inside, and its report of an error has the generic form of the operation. The program is put into a module
# that has an attribute which no module may have: the report is the whole program, nothing in it verified.

_SUB_CHANNEL = re.compile(r"uniform<[^:<>]*(?:<[^<>]*>)?\s*:\s*\w+\s*:\s*\{")
# The specification's spelling of an algorithm of several products counts components, which jaxlib refuses.
_COUNTS = re.compile(
    r"(lhs_component_count = )([23])(,\s*rhs_component_count = )\2(,\s*num_primitive_operations = [369])"
)
_ATTRIBUTE = "unverified"  # a module's attributes have a dialect before their name
_REPORT = "see current operation:"
_ALIAS = re.compile(r"^[ \t]*[!#][\w.$-]+[ \t]*=[ \t]*", re.MULTILINE)
_RESOURCES = re.compile(r"\{-#.*?#-\}", re.DOTALL)


def generic(context: Any, text: str) -> str | None:
    """Return the generic form of a program of which nothing is verified, or None if it cannot be parsed."""
    apart = _apart(text)
    reports: list[str] = []
    try:
        with context:
            ir.Module.parse(apart)
    except ir.MLIRError as error:
        reports = [note.message for report in error.error_diagnostics for note in report.notes]
    except (ValueError, RuntimeError, UnicodeError):
        return None
    for report in reports:
        form, mark, end = report.removeprefix(_REPORT).rpartition(f" {{{_ATTRIBUTE}}}")
        if report.startswith(_REPORT) and mark:
            return "\n".join([form + end, *_RESOURCES.findall(text)])
    return None


def inner(module: Any) -> Any:
    """Return the module that the text of a program has itself, if that is the only operation inside."""
    ops = list(module.regions[0].blocks[0].operations)
    return ops[0].operation if len(ops) == 1 and ops[0].operation.name == "builtin.module" else module


def _apart(text: str) -> str:
    """Return the text inside the module that fails; aliases and resources stay outside, where they must."""
    aliases, rest, at = [], [], 0
    code = HIDDEN.sub(lambda m: " " * len(m[0]), text)
    for match in _ALIAS.finditer(code):
        if match.start() < at:
            continue
        end = _end_of_alias(code, match.end())
        aliases.append(text[match.start() : end].strip())
        rest.append(text[at : match.start()])
        at = end
    body = "".join([*rest, text[at:]])
    resources = _RESOURCES.findall(body)
    head = "\n".join([*aliases, f"module attributes {{{_ATTRIBUTE}}} {{"])
    return "\n".join([head, _RESOURCES.sub("", body), "}", *resources])


def _end_of_alias(code: str, at: int) -> int:
    """Return where the type or attribute of an alias ends."""
    word = re.compile(r"[!#]?[\w.$-]*[ \t]*").match(code, at)
    end = word.end() if word else at
    if end < len(code) and code[end] in "<[({":
        end = closing(code, end) or len(code)
    line = code.find("\n", end)
    return len(code) if line < 0 else line


def read(
    data: str | bytes,
    name: str,
    dialect: str = "stablehlo",
    checked: bool = True,
    arguments: Arguments | None = None,
) -> Module:
    """Return the program in MLIR text or bytecode; `name` stands for its file in locations.

    If `checked` is false, nothing is verified. The RFC's dialect is not checked; in the pretty form all but
    its reductions is verified.
    arguments: what is known of the program's arguments, to refine it.
    """
    data = _COUNTS.sub(r"\g<1>1\g<3>1\4", data) if isinstance(data, str) else data
    pretty = dialect == "rfc" and isinstance(data, str) and rfc.is_pretty(data)
    unknown = False
    if isinstance(data, str):
        data = (
            rfc.in_function(rfc.to_generic(data) if pretty else data)
            if dialect == "rfc"
            else rename_mhlo(data)
        )
        data, unknown = unknown_operations.hide(as_custom_call(as_custom_calls(data)))
    if checked and dialect != "rfc":
        return _read_verified(data, name, unknown, arguments)
    try:
        return _read_generic(data, name, dialect, pretty)
    except Malformed:
        if dialect == "rfc" or isinstance(data, bytes) or (module := _read_pretty(data, name)) is None:
            raise
        return module


def _read_verified(data: str | bytes, name: str, unknown: bool, arguments: Arguments | None) -> Module:
    """Return a program that jaxlib has verified; unknown: it has operations that jaxlib does not know."""
    text = data if isinstance(data, str) else ""
    if _SUB_CHANNEL.search(text):
        return _read_blocks(text, name, unknown)
    with ir.Context() as context:
        load_dialects(context, True)
        context.allow_unregistered_dialects = unknown
        with _diagnostics(context, data, name):
            module, verified = _parse(context, data)
            if verified:
                module.operation.verify()
        if unknown:
            _refuse_unknown(module.operation, data, name)
        imported = import_module(module.operation, name, text=text)
        if not verified or not (is_rewritten(imported) or imported.is_dynamic):
            return _settle(imported)
        with _diagnostics(context, data, name):
            legalize(module.operation)
            if unknown and imported.is_dynamic:  # jaxlib's refinement crashes at what it does not know
                unknown_operations.refuse_to_refine(imported, arguments is not None)
                return as_manual(import_module(module.operation, name, text=text))
            operation = static(module.operation, arguments)
        return _settle(import_module(operation, name, text=text))


def _settle(module: Module) -> Module:
    """Return the module with what exporters write in their own ways as operations, or as composites."""
    module = as_quantized(as_manual(module))
    ops = list(module.ops())
    if any(op.attributes.get("call_target_name") == "__op$block_scaled_dot" for op in ops):
        from interp.loading.scaled_dots import as_composites  # which few programs need

        module = as_composites(module)
    if any(op.attributes.get("num_primitive_operations", 1) != 1 for op in ops):
        from interp.loading.dot_algorithms import as_decompositions

        module = as_decompositions(module)
    return module


def _read_blocks(text: str, name: str, unknown: bool) -> Module:
    """Return a program with sub-channel types, of which jaxlib has verified all but quantized parameters."""
    from interp.loading import sub_channel  # which few programs need

    encoded = sub_channel.encode(text, name)
    with ir.Context() as context:
        load_dialects(context, True)
        context.allow_unregistered_dialects = unknown
        try:
            with _diagnostics(context, text, name):
                module, _ = _parse(context, encoded.text)
        except Malformed as error:
            verdict, evidence = map(encoded.restore, (error.verdict, error.evidence))
            raise Malformed(verdict, evidence, error.where) from None
        if unknown:
            _refuse_unknown(module.operation, text, name)
        types = sub_channel.Types(encoded.types)
        imported = import_module(module.operation, name, text=encoded.text, blocks=types)
        if imported.is_dynamic or is_rewritten(imported):
            advice = "jaxlib cannot refine or legalize it: export it with known sizes and current operations"
            verdict = "scales per block beside unknown sizes or old operations"
            raise Unsupported(verdict, advice, Location(name))
        return _settle(imported)


def _read_generic(data: str | bytes, name: str, dialect: str, known: bool) -> Module:
    """Return a program in the generic form, in which nothing is verified but the dialects that are known."""
    with ir.Context() as context:
        load_dialects(context, known)
        context.allow_unregistered_dialects = True
        with _diagnostics(context, data, name):
            module, _ = _parse(context, data)
        text = data if isinstance(data, str) else ""
        return as_manual(import_module(module.operation, name, dialect, text))


def _read_pretty(text: str, name: str) -> Module | None:
    """Return the program in the pretty form, of which nothing is verified, or None if it cannot be parsed."""
    with ir.Context() as known:
        load_dialects(known, True)
        known.allow_unregistered_dialects = True
        form = generic(known, text)
    if form is None:
        return None
    with ir.Context() as context:
        load_dialects(context, False)
        context.allow_unregistered_dialects = True
        with _diagnostics(context, form, name):
            module = ir.Module.parse(form)  # which owns the inner one
        imported = import_module(inner(module.operation), name)
        return as_manual(locate_operations(imported, text, name))


def _refuse_unknown(module: Any, data: str | bytes, name: str) -> None:
    """Raise `Malformed` for an operation that is unknown, and not one of those read all the same."""
    for op in unknown_operations.find_unknown(module):
        where = location(str(op.location), name)
        advice = "write it in StableHLO, or as a stablehlo.custom_call"
        evidence = "\n".join([*map(unknown_operations.restore_names, excerpt(data, where)), advice])
        raise Malformed(f"unregistered operation '{op.name}'", evidence, where)


def static(module: Any, arguments: Arguments | None) -> Any:
    """Return the module with the static sizes that follow from `arguments`; without these, unchanged."""
    if arguments is not None:
        return refined_for(module, arguments.types, arguments.values)
    main = main_of(module)
    types = [argument.type for argument in main.regions[0].blocks[0].arguments] if main else []
    if main and is_static(types) and not all_static(module):
        with suppress(ir.MLIRError, RuntimeError, ValueError):  # sizes may depend on the arguments' values
            return refine(module, list(map(str, types)), {})
    return module


def refined_for(module: Any, types: Sequence[str], constants: Mapping[int, str]) -> Any:
    """Return the refined module; `Malformed` if the types do not fit, `Unsupported` if sizes stay unknown."""
    try:
        return refine(module, types, constants)
    except (ir.MLIRError, RuntimeError, ValueError) as error:
        reasons = [line for line in str(error).splitlines() if "error:" in line or "note: see" in line]
        reasons = [re.sub(r"^.*?(error|note): ", "", line) for line in reasons] or [str(error)]
        if any("dynamic shapes" in reason or "sizes remain unknown" in reason for reason in reasons):
            verdict = "sizes remain unknown: they depend on numbers that only a run knows"
            raise Unsupported(verdict, "\n".join(reasons)) from None
        verdict = "the program does not take arguments of these types"
        raise Malformed(verdict, "\n".join([*types, *reasons])) from None


def _parse(context: Any, data: str | bytes) -> tuple[Any, bool]:
    """Return the module, and whether jaxlib verifies it: not an artifact with sub-channel types."""
    if isinstance(data, bytes) and producer(data).startswith("StableHLO_v"):
        try:
            return _stablehlo.deserialize_portable_artifact(context, data), True
        except Exception:
            if (module := without_verifier(data, _SUB_CHANNEL)) is None:
                raise
            return module, False
    module = ir.Module.parse(data)
    if isinstance(data, str) and (plain := without_locations(data)) != data:
        with suppress(ir.MLIRError, ValueError, AttributeError):  # an older jaxlib cannot set locations
            keep_places(module.operation, ir.Module.parse(plain).operation)
    return module, True


def producer(data: bytes) -> str:
    """Return the producer of bytecode: `StableHLO_v1.17.0` for a portable artifact, or `MLIR24.0.0git`."""
    return data[5:69].partition(b"\0")[0].decode("ascii", "replace")


def without_dialect_classes() -> None:
    """Let jaxlib use its plain operation class; loading the classes of its dialects would take long."""
    from jaxlib.mlir._mlir_libs import _mlir

    with suppress(AttributeError):  # jaxlib's own business
        _mlir.globals.dialect_search_modules = []


def load_dialects(context: Any, checked: bool) -> None:
    context.enable_multithreading(False)
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    if checked:
        _load_quantized(context)


def _load_quantized(context: Any) -> None:
    """Load StableHLO and the `quant` dialect; `Unsupported` if this jaxlib cannot."""
    for dialect in (_stablehlo, _chlo, _sdy):  # not jaxlib.mlir.dialects, which take longer to import
        dialect.register_dialect(context)
    try:
        _stablehlo.register_stablehlo_passes()
        empty = ir.Module.parse("module {}")
        passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)").run(empty.operation)
        ir.Type.parse("!quant.uniform<i8:f32, 5.0e-01:3>")
    except (ir.MLIRError, ValueError, RuntimeError, AttributeError) as error:
        raise Unsupported(
            f"jaxlib {jaxlib.__version__} cannot read quantized types",
            f"{str(error).strip().splitlines()[-1]}\ninstall a version that docs/versions.md lists",
        ) from None


@contextmanager
def _diagnostics(context: Any, data: str | bytes, name: str) -> Iterator[None]:
    """Raise errors that jaxlib reports as `Malformed`, with the source line and a caret."""
    reports: list[tuple[str, str]] = []

    def collect(diagnostic: Any) -> bool:
        reports.extend(_report(diagnostic))
        return True

    handler = context.attach_diagnostic_handler(collect)
    try:
        yield
    except InterpError:
        raise
    except (
        Exception
    ) as error:  # jaxlib raises MLIRError, ValueError, TypeError, RuntimeError, UnicodeError, ...
        for diagnostic in getattr(error, "error_diagnostics", ()):
            reports += [report for d in (diagnostic, *diagnostic.notes) for report in _report(d)]
        raise _parse_error(reports, error, data, name) from None
    finally:
        handler.detach()


def _report(diagnostic: Any) -> list[tuple[str, str]]:
    """Return location and message of a diagnostic as a list, empty if a damaged message is not UTF-8."""
    with suppress(RuntimeError, UnicodeError):
        return [(str(diagnostic.location), diagnostic.message)]
    return []


def _parse_error(
    reports: list[tuple[str, str]], error: Exception, data: str | bytes, name: str
) -> InterpError:
    if not reports:
        return Malformed(f"jaxlib cannot read this: {str(error) or type(error).__name__}", "", Location(name))
    where, message = reports[0]
    if isinstance(data, bytes) and "integer quantized values" in message and _SUB_CHANNEL.search(message):
        advice = "print the program as text, or write a portable artifact"
        return Unsupported(
            "MLIR bytecode with scales per block, which jaxlib cannot read", advice, Location(name)
        )
    verdict, *rest = message.strip().splitlines() or ["jaxlib refuses this"]
    place = location(where, name, isinstance(data, str))
    evidence = [
        *map(unknown_operations.restore_names, excerpt(data, place)),
        *rest,
        *(text for _, text in reports[1:]),
    ]
    if isinstance(data, bytes):
        by = producer(data)
        evidence.append(f"written by {by}" if by else "it ends before it says who wrote it")
    return Malformed(verdict, "\n".join(evidence), Location(name) if place == UNKNOWN else place)
