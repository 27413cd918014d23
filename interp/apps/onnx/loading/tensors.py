"""ONNX's element types, and the arrays of its tensors, whose data may stand in files beside the model."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from interp.backends.dtypes import numpy_dtype
from spec.errors import Malformed, Unsupported
from spec.types import ELEMENT_TYPES, ElementType

LARGEST = 1 << 31  # bytes of all weights: protobuf holds no more in one message

# The names of ONNX's element types, as those of MLIR.
ELEMENTS = {
    "FLOAT": "f32",
    "UINT8": "ui8",
    "INT8": "i8",
    "UINT16": "ui16",
    "INT16": "i16",
    "INT32": "i32",
    "INT64": "i64",
    "BOOL": "i1",
    "FLOAT16": "f16",
    "DOUBLE": "f64",
    "UINT32": "ui32",
    "UINT64": "ui64",
    "COMPLEX64": "complex<f32>",
    "COMPLEX128": "complex<f64>",
    "BFLOAT16": "bf16",
    "FLOAT8E4M3FN": "f8E4M3FN",
    "FLOAT8E4M3FNUZ": "f8E4M3FNUZ",
    "FLOAT8E5M2": "f8E5M2",
    "FLOAT8E5M2FNUZ": "f8E5M2FNUZ",
    "FLOAT8E8M0": "f8E8M0FNU",
    "FLOAT4E2M1": "f4E2M1FN",
    "FLOAT6E2M3": "f6E2M3FN",
    "FLOAT6E3M2": "f6E3M2FN",
    "UINT4": "ui4",
    "INT4": "i4",
    "UINT2": "ui2",
    "INT2": "i2",
}


def element_of(data_type: int) -> ElementType:
    """Return the element type for a number of `TensorProto.DataType`."""
    if data_type not in TensorProto.DataType.values():
        raise Malformed(f"unknown element type {data_type}", "expected a number of TensorProto.DataType")
    name = TensorProto.DataType.Name(data_type)
    if name == "UNDEFINED":
        raise Malformed("a tensor without an element type", "expected data_type")
    if name not in ELEMENTS:
        raise Unsupported(f"tensors of {name}", "expected numbers or booleans")
    return ELEMENT_TYPES[ELEMENTS[name]]


def element_of_dtype(dtype: np.dtype) -> ElementType:
    """Return the element type of an array of `onnx.numpy_helper`."""
    return element_of(onnx.helper.np_dtype_to_tensor_dtype(dtype))


def to_storage(array: np.ndarray, element: ElementType) -> np.ndarray:
    """Return an array in the container of its elements."""
    return np.asarray(array).astype(numpy_dtype(element))


def array_of(tensor: TensorProto) -> np.ndarray:
    """Return the elements of a tensor."""
    element_of(tensor.data_type)
    if any(n < 0 for n in tensor.dims):
        raise Malformed(f"tensor '{tensor.name}' has a negative size", f"dims: {list(tensor.dims)}")
    try:
        return numpy_helper.to_array(tensor)
    except (ValueError, TypeError) as error:
        raise Malformed(f"tensor '{tensor.name}' cannot be read", str(error)) from None


def take_in(tensor: TensorProto, directory: str) -> None:
    """Read the data of a tensor that stand in another file, which must be beside the model or below.

    directory: that of the model, "" if it is not a file.
    """
    if tensor.data_location != TensorProto.EXTERNAL:
        return
    said = {entry.key: entry.value for entry in tensor.external_data}
    where = said.get("location", "")
    if not directory:
        advice = "load the model from its path, or with its data inside"
        raise Malformed(f"tensor '{tensor.name}' stands in another file, {where!r}", advice)
    root = os.path.realpath(directory)
    path = os.path.realpath(os.path.join(root, where))
    if not where or os.path.commonpath([root, path]) != root or not os.path.isfile(path):
        advice = f"expected a file in the directory of the model, got {where!r}"
        raise Malformed(f"no file with the data of tensor '{tensor.name}'", advice)
    offset, length = int(said.get("offset") or 0), int(said.get("length") or os.path.getsize(path))
    if offset < 0 or length < 0 or offset + length > os.path.getsize(path):
        raise Malformed(f"the data of tensor '{tensor.name}' end behind the file", f"file: {where!r}")
    with open(path, "rb") as file:
        file.seek(offset)
        tensor.raw_data = file.read(length)
    tensor.ClearField("external_data")
    tensor.data_location = TensorProto.DEFAULT


def attribute_value(attribute: Any) -> Any:
    """Return the value of an attribute, text decoded."""
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list) and value and isinstance(value[0], bytes):
        return [text.decode("utf-8", "replace") for text in value]
    return value
