"""Portable artifacts and inputs under testdata/programs, made from the text beside them.

For each NAME.mlir: NAME.v0_17_0.mlirbc and NAME.current.mlirbc, for the oldest StableHLO that has wider
bodies and for the one in jaxlib, and NAME.npz with storage arrays arg0, arg1, ... The RFC's form has no
artifact: jaxlib refuses it.

    python tools/emit_bytecode.py            write them
    python tools/emit_bytecode.py --check    exit with status 1 if one is missing or says something else
"""

from __future__ import annotations

import argparse
import io
import sys
import zlib
from pathlib import Path

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interp.engine.files import write_bytes  # noqa: E402
from interp.loading.load import load  # noqa: E402
from interp.loading.reader import load_dialects, producer  # noqa: E402
from spec.ir import Module  # noqa: E402
from spec.types import QuantizedType, TensorType  # noqa: E402

PATCHES = {"overflowing_pool": 7}  # what takes a picture, and how wide the patches on it are
PROGRAMS = ROOT / "testdata" / "programs"
OLDEST = "0.17.0"  # reductions whose body is wider than their inputs


def sources() -> list[Path]:
    return sorted(PROGRAMS.glob("*.mlir"))


def is_rfc(source: Path) -> bool:
    return source.stem == "rfc_example"


def artifacts(source: Path) -> dict[Path, str]:
    """Return the artifacts of a program and their target versions."""
    versions = {} if is_rfc(source) else {"v0_17_0": OLDEST, "current": stablehlo.get_current_version()}
    return {source.with_suffix(f".{name}.mlirbc"): version for name, version in versions.items()}


def artifact(source: Path, version: str) -> bytes:
    """Return the program as StableHLO's portable bytecode; its locations name the file without the folder."""
    with ir.Context() as context:
        load_dialects(context, checked=True)
        text = source.read_text().replace("func.func", "module { func.func", 1) + "}"
        bytecode = io.BytesIO()
        ir.Operation.parse(text, source_name=source.name).operation.write_bytecode(bytecode)
    return stablehlo.serialize_portable_artifact_str(bytecode.getvalue(), version)


def inputs(module: Module, source: Path) -> dict[str, np.ndarray]:
    """Return arguments from the whole storage range, seeded with the name; scalars are zero points."""
    draw = np.random.default_rng(zlib.crc32(source.stem.encode()))
    width = PATCHES.get(source.stem, 1)
    return {f"arg{i}": storage(value.type, draw, width) for i, value in enumerate(module.main.inputs)}


def storage(type: TensorType, draw: np.random.Generator, width: int = 1) -> np.ndarray:
    """Return noise or, for rank 4, an NHWC picture: patches of uniform brightness with a little noise."""
    element = type.element_type
    assert isinstance(element, QuantizedType), "programs here take quantized arguments"
    if not type.shape:
        return np.array(element.zero_point, element.storage_type.numpy)
    low, high = element.storage_min, element.storage_max
    if width == 1:
        return draw.integers(low, high, type.shape, element.storage_type.numpy, endpoint=True)
    n, rows, columns, channels = type.shape
    levels = draw.integers(low, high, (n, -(-rows // width), -(-columns // width), channels), endpoint=True)
    patches = levels.repeat(width, 1).repeat(width, 2)[:, :rows, :columns]
    picture = patches + draw.integers(-9, 9, type.shape, endpoint=True)
    return np.clip(picture, low, high).astype(element.storage_type.numpy)


def emit(source: Path) -> None:
    for path, version in artifacts(source).items():
        write_bytes(path, artifact(source, version))
    arrays = io.BytesIO()
    np.savez_compressed(arrays, **inputs(program(source), source))
    write_bytes(source.with_suffix(".npz"), arrays.getvalue())


def program(source: Path) -> Module:
    return load(source, dialect="rfc" if is_rfc(source) else "stablehlo")


def outdated(source: Path) -> list[str]:
    """Return what is missing or differs in meaning or in target; bytes vary with jaxlib."""
    module, findings = program(source), []
    for path, version in artifacts(source).items():
        if not path.exists() or load(path) != module:
            findings.append(f"{path.name}: missing, or another program than {source.name}")
        elif version == OLDEST and producer(path.read_bytes()) != f"StableHLO_v{OLDEST}":
            findings.append(f"{path.name}: written for {producer(path.read_bytes())}")
    path, expected = source.with_suffix(".npz"), inputs(module, source)
    actual = dict(np.load(path)) if path.exists() else {}
    if actual.keys() != expected.keys() or not all(np.array_equal(actual[k], expected[k]) for k in expected):
        findings.append(f"{path.name}: missing, or other arrays than the generator's")
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing")
    if not parser.parse_args().check:
        for source in sources():
            emit(source)
    findings = [finding for source in sources() for finding in outdated(source)]
    print("\n".join(findings) or f"{len(sources())} programs up to date")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
