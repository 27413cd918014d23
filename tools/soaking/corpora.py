"""Corpora: the programs that are damaged. Texts, artifacts, real exports and ONNX models of the test data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from interp.loading import reader
from interp.loading.load import text_or_bytecode

ROOT = Path(__file__).resolve().parents[2]
TESTDATA = ROOT / "testdata"
# Programs of other people, which are not in the repository: they are drawn where they are.
SHARED = ROOT.parent / "shared" / "exports"
MODELS = ("onnx", "onnx_fused", "foreign")
EXPORTED = {".export", ".mlirbc", ".stablehlo"}
Texts = tuple[tuple[str, str], ...]
Blobs = tuple[tuple[str, bytes], ...]


@cache
def texts() -> Texts:
    """Return the programs that are tested with their data."""
    return tuple((path.name, path.read_text()) for path in sorted((TESTDATA / "programs").glob("*.mlir")))


@cache
def cases() -> Texts:
    """Return the texts of the conformance cases, violating ones included."""
    paths = sorted(path for path in TESTDATA.glob("*/*.mlir") if path.parent.name != "programs")
    return tuple((f"{path.parent.name}/{path.name}", path.read_text()) for path in paths)


@cache
def artifacts() -> Blobs:
    """Return the portable artifacts of the test data, and what `jax.export` gives for a few functions."""
    stored = [(path.name, path.read_bytes()) for path in sorted((TESTDATA / "programs").glob("*.mlirbc"))]
    return (*stored, *(blob for blob in exported() for _ in range(6)))


@cache
def exports() -> Blobs:
    """Return what JAX, PyTorch, TensorFlow and Qwix have exported."""
    folders = [TESTDATA / "exports", *[SHARED] * SHARED.is_dir()]
    paths = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in EXPORTED]
    return tuple((path.name, path.read_bytes()) for path in paths)


@cache
def export_texts() -> Texts:
    """Return the exports as text: bytecode in the generic form, which has every attribute."""
    programs = ((name, text_or_bytecode(data, name)) for name, data in exports())
    return tuple((name, _generic(data) if isinstance(data, bytes) else data) for name, data in programs)


@cache
def models() -> Blobs:
    """Return the ONNX models of the test data."""
    paths = [path for folder in MODELS for path in sorted((TESTDATA / folder).glob("**/*.onnx"))]
    return tuple((path.name, path.read_bytes()) for path in paths)


def _generic(data: bytes) -> str:
    with reader.ir.Context() as context:
        reader.load_dialects(context, True)
        return str(reader._parse(context, data)[0].operation.get_asm(print_generic_op_form=True))


@cache
def exported() -> Blobs:
    import jax
    import jax.numpy as jnp
    from jax import export, lax

    functions = {
        "sum": (lambda x: x.sum(0), jnp.zeros((3, 4), jnp.float32)),
        "argmax": (lambda x: x.argmax(1), jnp.zeros((3, 4), jnp.float32)),
        "layer": (lambda x: jnp.tanh(x @ x.T + 1), jnp.zeros((3, 4), jnp.float32)),
        "pool": (
            lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 1), "SAME"),
            jnp.zeros((4, 4), jnp.float32),
        ),
        "table": (lambda x: jnp.arange(40) * x[:, None], jnp.zeros(3, jnp.int32)),
    }
    found = []
    jax.config.update("jax_traceback_in_locations_limit", 0)  # the bytes do not depend on the checkout's path
    for name, (function, x) in functions.items():
        blob = export.export(jax.jit(function))(x)
        found += [
            (f"jax.export {name}", bytes(blob.serialize())),
            (f"artifact {name}", blob.mlir_module_serialized),
        ]
    return tuple(found)
