"""The kernels of LiteRT, each with its recipe; those that depart from it say how."""

from __future__ import annotations

from functools import partial
from typing import Any

from kernels import of_litert as trials
from kernels.trials import Kernel
from spec.recipes import FLOAT, GEMMLOWP, ONNX, TFLITE_DOUBLE, TFLITE_SINGLE

REFERENCE, OPTIMIZED, DELEGATED = "reference", "optimized", "delegated"
AWAY = "rounds ties half away from zero"
IN_FLOATS = "computes in f32, and rounds ties half away from zero"
SHIFTS_UP = "shifts half up"
OTHERWISE = "a multiplier of f32, but not always the nearest to the exact one"
NOT_FIXED = "not in fixed point with two roundings"


def kernels() -> list[Kernel]:
    """Return the kernels that agree with a recipe, and those that depart from it."""
    rows = []
    for source in ("int8", "uint8", "int16", "int32"):
        targets = ("int8", "uint8", "int16") if source in ("int8", "uint8") else ("int8", "int16")
        make = partial(trials.quantize, source)
        rows += [_double(f"QUANTIZE {source} to {target}", make, target) for target in targets]
    for dtype in ("int8", "uint8", "int16"):
        rows += [
            _double(f"{name} {dtype}", trials.elementwise, name, dtype) for name in ("ADD", "SUB", "MUL")
        ]
        rows.append(_double(f"MEAN {dtype}", trials.reduced, "MEAN", dtype))
    rows += [_double(f"ABS {dtype}", trials.absolute, dtype) for dtype in ("int8", "int16")]
    rows.append(_double("SUM uint8", trials.reduced, "SUM", "uint8"))
    for name in trials.CHANNELS:
        make = partial(trials.convolution, name)
        rows += [
            _double(f"{name} int8", make, "int8", False),
            _double(f"{name} int8 per channel", make, "int8", True),
            Kernel(f"{name} uint8", GEMMLOWP, partial(make, "uint8", False, REFERENCE)),
            Kernel(f"{name} int16", TFLITE_SINGLE, partial(make, "int16", True, REFERENCE), "i48"),
        ]
    return [*rows, *_of_xnnpack(), *_departing()]


def _double(name: str, make: Any, *ways: Any) -> Kernel:
    """Return a reference kernel that rounds twice."""
    return Kernel(name, TFLITE_DOUBLE, partial(make, *ways, REFERENCE))


def _of_xnnpack() -> list[Kernel]:
    """Return kernels of XNNPACK, which rescales as ONNX Runtime does."""
    connected, convolved = trials.fully_connected, partial(trials.convolution, "CONV_2D")
    return [
        Kernel("FULLY_CONNECTED int8, XNNPACK", ONNX, partial(connected, "int8", False, DELEGATED)),
        Kernel("CONV_2D int8 per channel, XNNPACK", ONNX, partial(convolved, "int8", True, DELEGATED)),
    ]


def _departing() -> list[Kernel]:
    """Return kernels that depart from what their documentation, or their reference kernel, computes."""
    connected, quantized = partial(trials.fully_connected, "int8"), partial(trials.quantize, "int8", "int8")
    rows = [
        ("FULLY_CONNECTED int8", TFLITE_SINGLE, partial(connected, False, REFERENCE), AWAY),
        ("FULLY_CONNECTED int8 per channel", TFLITE_SINGLE, partial(connected, True, REFERENCE), AWAY),
        ("FULLY_CONNECTED int8, optimized", TFLITE_DOUBLE, partial(connected, False, OPTIMIZED), SHIFTS_UP),
        ("QUANTIZE int8 to int8, optimized", TFLITE_DOUBLE, partial(quantized, OPTIMIZED), NOT_FIXED),
    ]
    multiplied = partial(trials.elementwise, "MUL", "int8", DELEGATED)
    rows.append(("MUL int8, XNNPACK", FLOAT, multiplied, OTHERWISE))
    for dtype in ("int8", "uint8", "int16"):
        make = partial(trials.reduced, "SUM", dtype, OPTIMIZED)
        rows.append((f"SUM {dtype}, optimized", TFLITE_SINGLE, make, IN_FLOATS))
    return [Kernel(name, recipe, make, "i32", departs) for name, recipe, make, departs in rows]
