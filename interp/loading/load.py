"""`load`: reads a program from a file, bytes, text or a library's object into a `spec.ir.Module`."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeGuard

from interp.loading.models import CALLS, EXPORTED, export, is_function, is_object, is_pair, kind_of, program
from interp.loading.on_demand import KERNELS, LiteRT, Onnx, is_litert, is_onnx, options
from spec.errors import InterpError, Location, Malformed, Unsupported, one_of, short_text
from spec.ir import Mention, Module

# The file beside a quantized program that has the float program it was made from.
#
# The program names the file, and the digest of what was written there. A file that is lost or was changed
# is not read: `Module.origin` then says so.


def beside(path: Path) -> Path:
    """Return the path of the float reference of the program in a file."""
    return path.with_name(f"{path.stem}.reference{path.suffix}")


def attach_reference(
    module: Module, path: str | os.PathLike[str] | None, read: Callable[[bytes, str], Module]
) -> Module:
    """Return a program that was read from a file, or from none, with the float program that it names.

    read: reads that program from its bytes and the name of its file.
    """
    mention = module.reference
    if not isinstance(mention, Mention):
        return module
    lost = lambda why: replace(module, reference=None, origin=f"{mention.origin} is lost: {why}")
    if Path(mention.file).name != mention.file:
        return lost(f"{mention.file!r} is not the name of a file beside the program")
    if path is None:
        return lost(f"the program was not read from a file, beside which {mention.file} would be")
    try:
        data = (Path(path).parent / mention.file).read_bytes()
    except (OSError, ValueError):
        return lost(f"the file {mention.file} is missing")
    from hashlib import sha256  # few programs have a reference beside them

    if sha256(data).hexdigest() != mention.sha256:
        return lost(f"the file {mention.file} has changed")
    return replace(module, reference=read(data, mention.file), origin=mention.origin)


MLIR_BYTECODE = b"ML\xefR"
# What a file is that is no program, by its first bytes.
KNOWN_FORMATS = {
    b"\x7fELF": "an ELF binary",
    b"PK\x03\x04": "a zip archive (.npz, .pt2 and .keras files are such)",
    b"\x93NUMPY": "a NumPy array: give it as an argument, not as the program",
    b"\x1f\x8b": "gzip-compressed: decompress it first",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    b"BC\xc0\xde": "LLVM bitcode",
    b"%PDF": "a PDF document",
    b"\x80\x04": "a Python pickle",
    b"\x80\x05": "a Python pickle",
}
READABLE = (
    "readable: a file or bytes of MLIR text, MLIR bytecode, a StableHLO portable artifact or a serialized "
    "jax.export.Exported, an ONNX or LiteRT model; MLIR text; a jax.export.Exported, a jax.stages.Lowered, "
    "an interp.Module, an onnx.ModelProto, a torch.export.ExportedProgram, an object that litert-torch "
    "lowered; a JAX function, or a module of flax, Keras or PyTorch, with its inputs in a tuple, (f, inputs)"
)


# What every verb takes for a program: a module, a path, bytes, text; and, without a type that is known before
# their libraries are imported, objects of JAX, flax, Keras, PyTorch, litert-torch and ONNX.
Program = Module | str | os.PathLike[str] | bytes | bytearray | memoryview | Any


def as_module(program: Program) -> Module:
    """Return a module unchanged, and load any other program; every verb calls this on its program."""
    return program if isinstance(program, Module) else load(program)


def is_program(source: object) -> TypeGuard[Program]:
    """Return whether `load` takes something as a program; a JAX function needs its arguments for that."""
    known = (Module, str, os.PathLike, bytes, bytearray, memoryview)
    return isinstance(source, known) or is_object(source) or is_pair(source)


def load(
    source: Program,
    *inputs: Any,
    dialect: str = "stablehlo",
    checked: bool = True,
    dims: Mapping[str, Any] | None = None,
    kernels: str = "litert",
) -> Module:
    """Read a program from a file, bytes, text or an object of a library, and return it as a `Module`.

    `source` is a path (str or Path); bytes; MLIR text, pretty or generic; a `jax.export.Exported` or its
    serialized bytes; a `jax.stages.Lowered`; an `onnx.ModelProto`; a `torch.export.ExportedProgram`; what
    litert-torch lowered; a JAX function, or a module of flax, Keras or PyTorch, with example `inputs`, or as
    a pair `(f, inputs)`: see `interp.jax.program`; a `Module`, which is returned unchanged. A str is text if
    it has a newline, or has a brace and names no file; else a path. Bytes may be MLIR bytecode, a portable
    artifact of StableHLO, a serialized `jax.export`, an ONNX or LiteRT model, or text. Values keep the names
    that they have in text and in models; bytecode has none, so MLIR numbers them.

    `dialect="rfc"` reads the form of the reduction RFC (erratum E7), whose results may have another type than
    the body, which an `accumulation_type` may name. jaxlib checks none of its reductions, nor anything with
    `checked=False`: then `verify` has to find what is wrong.

    dims: sizes of an ONNX model's symbolic dimensions, such as `{"N": 4}`, and the shapes of the tensors of
    an input that is a sequence or an optional, `{"x": [(2, 3), (4, 3)]}`, each of which is an argument; or
    the unknown sizes of a LiteRT model by input and dimension, `{"x.0": 4}`, which are 1 otherwise.

    kernels: the set of kernels whose bits a LiteRT model gives, "litert" (its reference kernels) or "micro"
    (those of tflite-micro).

    A program whose arguments have unknown sizes (`tensor<?xf32>`) is refined to static ones when it runs, on
    the shapes of the arguments; `refine` does that alone.

    Raises `Malformed` for input that is not a program or that jaxlib refuses, `Unsupported` for external
    functions, control flow between blocks and values that are not tensors.
    """
    one_of(("stablehlo", "rfc"), dialect, "dialect")
    if inputs:
        source = _with_inputs(source, inputs)
    if isinstance(source, Module):
        return source
    if is_pair(source):
        source = program(source[0], *source[1])
    elif kind_of(source, [EXPORTED]):
        source = export(source)
    if isinstance(source, bytes | bytearray | memoryview):
        data, name = bytes(source), "<bytes>"
    elif isinstance(source, str) and is_text(source):
        return _request(source, "<text>", dialect, checked)
    elif isinstance(source, str) and not source:
        raise Malformed("empty", READABLE)
    elif isinstance(source, str | os.PathLike):
        data, name = content(Path(source)), os.fspath(source)
    elif isinstance(source, type):
        raise _unlike_a_program(source)
    elif hasattr(source, "mlir_module_serialized"):
        data, name = bytes(source.mlir_module_serialized), f"<jax.export {getattr(source, 'fun_name', '')}>"
    elif hasattr(source, "compiler_ir"):
        return _load_lowered(source)
    elif hasattr(source, "module_bytecode"):
        data, name = bytes(source.module_bytecode), f"<{type(source).__name__}>"
    elif hasattr(source, "SerializeToString"):
        data, name = _serialize(source), "<onnx.ModelProto>"
    else:
        raise _unlike_a_program(source)
    return load_bytes(data, name, dialect, checked, dims, kernels)


def as_written(program: Program, mode: str = "strict", read: Callable[..., Module] | None = None) -> Module:
    """Return a program, even if jaxlib refuses it, if `verify` names a constraint that it violates.

    read: loads the program; it takes the option `checked`.
    """
    from spec.rules.verify import verify

    if isinstance(program, Module):
        return program
    read = read or partial(load, program)
    try:
        return read()
    except Malformed:
        with suppress(InterpError):
            module = read(checked=False)
            if verify(module, mode):
                return module
        raise


def is_text(source: str) -> bool:
    """Return whether a str is MLIR text, and not the path of a file."""
    return "\n" in source or ("{" in source and not os.path.exists(source))


def _with_inputs(source: Any, inputs: Sequence[Any]) -> Any:
    """Return a function or model and its example inputs as a pair; `Malformed` for any other program."""
    if not is_function(source):
        verdict = f"example inputs belong to a function or a model, got {short_text(source)}"
        raise Malformed(verdict, f"give the program alone, or options by name (dialect=)\n{READABLE}")
    return source, inputs


def _serialize(model: Any) -> bytes:
    """Return the bytes of an `onnx.ModelProto`; `Unsupported` if it is too large for them."""
    try:
        return bytes(model.SerializeToString())
    except Exception as error:  # ValueError or protobuf's EncodeError, by its release
        what = f"the model cannot be serialized: {error}"
        limit = "a model in memory has at most 2 GB: write it with external data, and load the file:"
        save = 'onnx.save_model(model, "model.onnx", save_as_external_data=True)'
        raise Unsupported(what, f"{limit}\n{save}") from error


def _unlike_a_program(source: object) -> Malformed:
    got = f"the class {source.__name__}" if isinstance(source, type) else type(source).__name__
    if kind := kind_of(source, list(CALLS)):
        return Malformed(f"expected a program, got {got}", CALLS[kind])
    if is_function(source):
        return Malformed(f"expected a program, got a {got} alone", "give its inputs, too: (f, inputs)")
    return Malformed(f"expected a program, got {got}", READABLE)


def load_bytes(
    data: bytes,
    name: str,
    dialect: str = "stablehlo",
    checked: bool = True,
    dims: Mapping[str, Any] | None = None,
    kernels: str = "litert",
) -> Module:
    """Return the program in the bytes of a file; `name` stands for the file in locations."""
    if is_litert(data, name):
        known = LiteRT(one_of(KERNELS, kernels, "set of kernels"), dict(dims or {}))
        return _request(data, name, known, checked)
    if is_onnx(data, name):
        return _request(data, name, options(name, dims), checked)
    if dims:
        raise Malformed(
            "expected an ONNX or LiteRT model, whose sizes have names", f"dims: {dict(dims)}", Location(name)
        )
    return _request(text_or_bytecode(data, name), name, dialect, checked)


def _request(data: str | bytes, name: str, dialect: str | Onnx | LiteRT, checked: bool) -> Module:
    from interp.loading.warm import WORKER

    module: Module = WORKER.request(data, name, dialect, checked)
    module = attach_reference(module, None if name.startswith("<") else name, load_bytes)
    return replace(module, unrefined=(data, name, dialect, checked)) if module.is_dynamic else module


def _load_lowered(source: Any) -> Module:
    """Return the module of a `jax.stages.Lowered`, which this process has parsed and verified."""
    from interp.loading.exporters import as_manual, as_quantized
    from interp.loading.ir_import import import_module
    from interp.loading.legalize import is_rewritten, legalize

    module = source.compiler_ir("stablehlo")
    with module.context:
        imported = import_module(module.operation, "<jax.stages.Lowered>")
        if is_rewritten(imported):
            operation = module.operation.clone()  # `source` keeps what JAX made
            legalize(operation)
            imported = import_module(operation, "<jax.stages.Lowered>")
        return as_quantized(as_manual(imported))


def content(path: Path) -> bytes:
    """Return the bytes of a file; `Malformed` if it cannot be read."""
    where = Location(str(path))
    try:
        if not stat.S_ISREG(mode := path.stat().st_mode):  # a device or a pipe may never end
            verdict = "is a directory" if stat.S_ISDIR(mode) else "is not a regular file"
            what_to_do = "name the file of a program; a command reads standard input where that is -"
            raise Malformed(verdict, what_to_do, where)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        what_to_do = "expected the path of a program; MLIR text given as a str has a newline or a brace"
        raise Malformed(f"cannot be read: {reason}", what_to_do, where) from None


def text_or_bytecode(data: bytes, name: str) -> str | bytes:
    """Return text as str and bytecode as bytes, or raise `Malformed`, which says what the bytes are."""
    if data.startswith(MLIR_BYTECODE):
        return data
    if (artifact := _exported_artifact(data)) is not None:
        return artifact
    where = Location(name)
    for magic, meaning in KNOWN_FORMATS.items():
        if data.startswith(magic):
            raise Malformed(f"not a program: {meaning}", READABLE, where)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(
            f"not a program: binary of an unknown kind (byte {error.start} is not UTF-8)", READABLE, where
        ) from None
    if not text.strip():
        raise Malformed("empty", READABLE, where)
    if "\0" in text:
        raise Malformed(f"not a program: byte {text.index(chr(0))} is NUL", READABLE, where)
    return text


def _exported_artifact(data: bytes) -> bytes | None:
    """Return field 13, `mlir_module_serialized`, of a serialized `jax.export.Exported`."""
    try:
        (table,) = struct.unpack_from("<I", data)
        (back,) = struct.unpack_from("<i", data, table)
        size, _ = struct.unpack_from("<HH", data, table - back)
        (field,) = struct.unpack_from("<H", data, table - back + 4 + 2 * 13) if size >= 32 else (0,)
        (offset,) = struct.unpack_from("<I", data, table + field)
        start = table + field + offset + 4
        (length,) = struct.unpack_from("<I", data, start - 4)
    except struct.error:
        return None
    artifact = data[start : start + length]
    return artifact if field and artifact.startswith(MLIR_BYTECODE) else None
