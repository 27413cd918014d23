"""TOSA's reference model: graphs written by its serializer, and their runs.

The package tosa-tools has both. A graph is a list of steps on named tensors; the arguments are its inputs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray
ATTRIBUTES = {"MATMUL": "MatMul"}
VALID, UNPREDICTABLE, ERROR = "TOSA_VALID", "TOSA_UNPREDICTABLE", "TOSA_ERROR"


class Rescale(NamedTuple):
    """RESCALE of a tensor: its multipliers and shifts, one or as many as the last dimension has."""

    source: str
    result: str
    dtype: str
    multipliers: Sequence[int]
    shifts: Sequence[int]
    zero_points: tuple[int, int] = (0, 0)
    scale32: bool = True
    rounding: str = "SINGLE_ROUND"


class Step(NamedTuple):
    """Another operator: its name, operands, result, the NumPy type and shape of the result, and constants.

    constants: NumPy types and numbers of the operands that follow, such as zero points.
    """

    name: str
    operands: Sequence[str]
    result: str
    dtype: str
    shape: Sequence[int]
    constants: Sequence[tuple[str, int]] = ()


class Ran(NamedTuple):
    """The status of a graph, and its results, which mean something only if it is `VALID`."""

    status: str
    result: Array


def available() -> str:
    """Return why the reference model cannot run here, or "" if it can."""
    try:
        import tosa_reference_model  # noqa: F401
        import tosa_serializer  # noqa: F401
    except ImportError:
        return "tosa-tools is not installed"
    return ""


def run(arguments: dict[str, Array], steps: Sequence[Rescale | Step]) -> Ran:
    """Return the result of the last step."""
    import tosa_reference_model
    import tosa_serializer as tosa

    with version_1_0(tosa) as serializer:
        tensors: dict[str, tuple[str, str, Sequence[int]]] = {}
        for name, x in arguments.items():
            placed = serializer.addPlaceholder(list(x.shape), _type(tosa, x.dtype.name), None)
            tensors[name] = placed.name, x.dtype.name, x.shape
        for step in steps:
            last = step is steps[-1]
            _add(tosa, serializer, step, tensors, last)
        content = serializer.serialize()
    given = [np.ascontiguousarray(x).view(x.dtype.name.removeprefix("u")) for x in arguments.values()]
    outs, status = tosa_reference_model.run(content, given)
    _, dtype, shape = tensors[steps[-1].result]
    result = np.frombuffer(bytes(outs[0]), dtype).reshape(shape) if outs else np.zeros(0, dtype)
    return Ran(status.name, result)


@contextlib.contextmanager
def version_1_0(tosa: Any) -> Iterator[Any]:
    """Yield a serializer of the published version."""
    yield tosa.TosaSerializer(
        "", tosa.ConstMode.EMBED, targetMajor=1, targetMinor=0, targetPatch=0, targetDraft=False
    )


def _add(tosa: Any, serializer: Any, step: Rescale | Step, tensors: dict[str, Any], last: bool) -> None:
    """Add a step to the graph, and its result to the tensors."""
    if isinstance(step, Rescale):
        operands, shape, kind, attribute = _rescale(tosa, serializer, step, tensors)
    else:
        operands, shape = [tensors[name][0] for name in step.operands], step.shape
        kind, attribute = getattr(tosa.Op, step.name), tosa.TosaSerializerAttribute()
        nan_mode = [tosa.NanPropagationMode.PROPAGATE] if step.name in ("MAXIMUM", "MINIMUM") else []
        getattr(attribute, ATTRIBUTES.get(step.name, step.name.title()) + "Attribute")(*nan_mode)
        operands += [_constant(tosa, serializer, dtype, [number]) for dtype, number in step.constants]
    make = serializer.addOutput if last else serializer.addIntermediate
    result = make(list(shape), _type(tosa, step.dtype))
    serializer.addOperator(kind, operands, [result.name], attribute)
    tensors[step.result] = result.name, step.dtype, shape


def _rescale(
    tosa: Any, serializer: Any, step: Rescale, tensors: dict[str, Any]
) -> tuple[list[str], Sequence[int], Any, Any]:
    """Return the operands of a RESCALE, the shape of its result, its operator and its attribute."""
    source, dtype, shape = tensors[step.source]
    wide = "int32" if step.scale32 else "int16"
    numbers = ((wide, step.multipliers), ("int8", step.shifts))
    zero_points = zip((dtype, step.dtype), ([z] for z in step.zero_points), strict=True)
    constants = [_constant(tosa, serializer, name, values) for name, values in (*numbers, *zero_points)]
    attribute = tosa.TosaSerializerAttribute()
    unsigned = [name.startswith("u") for name in (dtype, step.dtype)]
    rounding = getattr(tosa.RoundingMode, step.rounding)
    attribute.RescaleAttribute(step.scale32, rounding, len(step.shifts) > 1, *unsigned)
    return [source, *constants], shape, tosa.Op.RESCALE, attribute


def _constant(tosa: Any, serializer: Any, dtype: str, values: Sequence[int]) -> str:
    """Add a constant, and return its name."""
    held = np.array(values, np.int64).astype("int64" if dtype == "int48" else dtype.removeprefix("u"))
    return str(serializer.addConst([len(values)], _type(tosa, dtype), held).name)


def _type(tosa: Any, name: str) -> Any:
    """Return TOSA's type, which has no sign."""
    return getattr(tosa.DType, name.removeprefix("u").upper())
