"""`write`: a program as an ONNX model with QuantizeLinear and DequantizeLinear."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.reading.load import Program, load
from spec.errors import Unsupported
from spec.ir import Module

if TYPE_CHECKING:
    from onnx import ModelProto


def write(program: Program, path: str | Path | None = None, exact: bool = False) -> ModelProto:
    """Return a program as an ONNX model in QDQ form, and write it if there is a path."""
    model = model_of(program if isinstance(program, Module) else load(program), exact)
    if path is not None:
        from interp.engine.files import write_bytes

        write_bytes(Path(path), model.SerializeToString())
    return model


def model_of(module: Module, exact: bool) -> Any:
    try:
        import onnx  # noqa: F401
    except ImportError:
        advice = "pip install 'stablehlo-interp[onnx]'"
        raise Unsupported("writing ONNX models needs the package onnx", advice) from None
    from interp.onnx.writing import model_of

    return model_of(module, exact)
