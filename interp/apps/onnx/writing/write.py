"""`write`: a program as an ONNX model with QuantizeLinear and DequantizeLinear."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.engine.files import write_bytes
from interp.execute.lower import save
from interp.loading.load import Program, load
from spec.errors import Malformed, Unsupported
from spec.ir import Module

if TYPE_CHECKING:
    from onnx import ModelProto


def write(program: Program, path: str | Path | None = None, exact: bool = False) -> ModelProto:
    """Return `@main` as an ONNX model in QDQ form, and write it if there is a path.

    An operation on quantized types becomes DequantizeLinear of its operands, the float operator, and
    QuantizeLinear; one that moves elements, or chooses among them, acts on the stored numbers. Arguments and
    results of quantized types are stored numbers. Three things differ from the program:

    * ONNX adds the zero point after the rounding, and `uniform_quantize` before it. They are equal where the
      zero point is 0, or where the program rounds first itself, as those do that `load` reads from ONNX.
      Else a number within a rounding error of a tie, or at a tie if the zero point is odd, may be stored one
      step apart. `exact` writes the program's order: the division and the addition, then QuantizeLinear with
      a scale of 1.
    * QuantizeLinear has no int32. A value of 32 bits (an accumulator, a sum) is a number in floats: it is
      neither rounded to its steps nor saturated. Where scales are powers of two, and products and partial
      sums stay below 2**24 steps, floats hold them exactly; else they are rounded, and a number near a tie of
      the next quantization may be stored one step apart. `exact` does not change that.
    * NaN, and floats beyond the range of the integers that `convert` makes of them, are left to the runtime.

    A quantized sum is one float sum. An accumulator that may round or saturate at each step is refused.

    Raise `Unsupported` that names all operations which have no counterpart.
    """
    model = model_of(program if isinstance(program, Module) else load(program), exact)
    if path is not None:
        write_bytes(Path(path), model.SerializeToString())
    return model


def model_of(module: Module, exact: bool) -> Any:
    try:
        import onnx  # noqa: F401
    except ImportError:
        advice = "pip install 'stablehlo-interp[onnx]'"
        raise Unsupported("writing ONNX models needs the package onnx", advice) from None
    from interp.apps.onnx.writing.walk import model_of

    return model_of(module, exact)


def save_as(module: Module, path: Path, version: str | None = None) -> None:
    """Write a file: an ONNX model for a name in `.onnx`, else what `interp.execute.lower.save` writes."""
    if path.suffix != ".onnx":
        save(module, path, version)
    elif version is not None:
        raise Malformed(f"an ONNX model has no version {version} of StableHLO", "name the file .mlirbc")
    else:
        write(module, path)
