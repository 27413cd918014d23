"""A model of ONNX while it is written, and its run by ONNX Runtime.

Graph optimizations are off, so that the operators that `how` names are those that run. Writing needs the
package onnx only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import checker, helper, numpy_helper, shape_inference

from interp.apps.runtimes.translation import NotExpressible, Operand, Refused, need
from spec.quantized import storage_range
from spec.types import ElementType, QuantizedType, TensorType

OPSET, IR = 25, 11
CONTRIBUTED = "com.microsoft"  # the domain of ONNX Runtime's own operators
# Element types that NumPy itself does not have, by their names in ml_dtypes.
NAMES = {
    "i2": "int2",
    "ui2": "uint2",
    "i4": "int4",
    "ui4": "uint4",
    "bf16": "bfloat16",
    "f4E2M1FN": "float4_e2m1fn",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
}


def dtype_of(type: ElementType) -> np.dtype[Any]:
    """Return the dtype in which ONNX's own functions know an element type."""
    if type.name in NAMES:
        return np.dtype(getattr(ml_dtypes, NAMES[type.name]))
    return np.dtype(type.numpy)


def onnx_type(type: ElementType) -> int:
    """Return ONNX's number of an element type."""
    if type.kind == "complex" or (type.is_integer and type.bits not in (2, 4, 8, 16, 32, 64)):
        raise NotExpressible(f"element type {type}")
    try:
        return int(helper.np_dtype_to_tensor_dtype(dtype_of(type)))
    except (ValueError, KeyError):
        raise NotExpressible(f"element type {type}") from None


def is_native(type: ElementType) -> bool:
    """Return whether NumPy itself has the element type, so that arrays of it pass in and out."""
    return type.name not in NAMES


class OnnxGraph:
    """Nodes, inputs and constants of a model, and the values of its inputs."""

    prefix = "constant"  # of the names of constants

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.constants: list[Any] = []
        self.feeds: dict[str, np.ndarray] = {}
        self.how: list[str] = []

    def argument(self, name: str, type: TensorType, x: np.ndarray) -> Operand:
        if not is_native(type.storage_type):
            return self.constant(type, x)
        info = helper.make_tensor_value_info(name, onnx_type(type.storage_type), type.shape)
        self.inputs.append(info)
        self.feeds[name] = x
        return Operand(name, type, x)

    def constant(self, type: TensorType, x: np.ndarray) -> Operand:
        onnx_type(type.storage_type)
        full = np.broadcast_to(x, type.shape)
        return Operand(self.hold(full.astype(dtype_of(type.storage_type))), type, full)

    def hold(self, x: np.ndarray) -> str:
        """Keep an array in the model, and return its name."""
        name = f"{self.prefix}{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(x.copy(), name))
        return name

    def integers(self, values: Sequence[int]) -> str:
        """Keep a list of int64, as operators take axes and shapes."""
        return self.hold(np.array(values, np.int64))

    def parameters(self, type: QuantizedType) -> tuple[str, str]:
        """Return the names of the scale and the zero point of a quantized type."""
        bounds = type.storage_min, type.storage_max
        need(bounds == storage_range(type.storage_type), "storage bounds narrower than the type")
        need(not type.is_per_axis or len(set(type.zero_points)) >= 1, "no zero points")
        shape = (
            type.parameters_shape if type.block_sizes else () if type.is_per_tensor else (len(type.scales),)
        )
        storage, expressed = dtype_of(type.storage_type), dtype_of(type.expressed_type)
        onnx_type(type.storage_type)
        scales = np.array(type.scales, np.float64).astype(expressed).reshape(shape)
        points = np.array(type.zero_points, np.int64).astype(storage).reshape(shape)
        return self.hold(scales), self.hold(points)

    def dequantize(self, x: Operand) -> str:
        """Write DequantizeLinear for a quantized operand; a plain one stays."""
        if not x.type.is_quantized:
            return str(x.handle)
        need(
            x.type.storage_type.name != "i32" or set(x.quantized_type.zero_points) == {0},
            "i32 with a zero point",
        )
        scale, point = self.parameters(x.quantized_type)
        return self.add("DequantizeLinear", x.handle, scale, point, **layout(x.type))

    def quantize(self, x: str, type: TensorType) -> Operand:
        """Write QuantizeLinear for a result that is quantized; a plain one stays."""
        if not type.is_quantized:
            return Operand(x, type)
        scale, point = self.parameters(type.quantized_element_type)
        return Operand(self.add("QuantizeLinear", x, scale, point, **layout(type)), type)

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output, and return the output's name."""
        return self.node(helper.make_node(operator, inputs, [f"value{len(self.nodes)}"], **attributes))

    def contribute(self, operator: str, *inputs: str) -> str:
        """Add an operator of ONNX Runtime's own."""
        output = f"value{len(self.nodes)}"
        return self.node(helper.make_node(operator, inputs, [output], domain=CONTRIBUTED))

    def node(self, node: Any) -> str:
        self.nodes.append(node)
        return str(node.output[0])

    def transpose(self, x: str, order: Sequence[int]) -> str:
        return x if list(order) == sorted(order) else self.add("Transpose", x, perm=list(order))

    def reshape(self, x: str, shape: Sequence[int]) -> str:
        return self.add("Reshape", x, self.integers(shape), allowzero=1)

    def run(self, results: Sequence[Operand]) -> list[np.ndarray]:
        """Check the model, run it and return the stored elements of the results."""
        import onnxruntime

        model = self.model(results)
        check(model)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "0")  # see finding O1
        try:
            session = onnxruntime.InferenceSession(
                model.SerializeToString(), options, ["CPUExecutionProvider"]
            )
            arrays = session.run(None, self.feeds)
        except Exception as error:
            if type(error).__module__.startswith("onnxruntime"):
                raise Refused(str(error)) from None
            raise
        return [
            x.astype(y.type.storage_type.numpy) if is_native(y.type.storage_type) else back(x, y.type)
            for x, y in zip(arrays, results, strict=True)
        ]

    def model(self, results: Sequence[Operand]) -> Any:
        outputs = []
        for k, result in enumerate(results):
            type = result.type.storage_type
            wide = onnx_type(type) if is_native(type) else int(helper.np_dtype_to_tensor_dtype(carrier(type)))
            cast = helper.make_node("Cast", [result.handle], [f"out{k}"], to=wide)
            same = helper.make_node("Identity", [result.handle], [f"out{k}"])
            self.nodes.append(same if is_native(type) else cast)
            outputs.append(helper.make_tensor_value_info(f"out{k}", wide, result.type.shape))
        graph = helper.make_graph(self.nodes, "main", self.inputs, outputs, self.constants)
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIBUTED, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=IR)


def layout(type: TensorType) -> dict[str, int]:
    """Return the attributes `axis` and `block_size` for a quantized tensor."""
    element = type.quantized_element_type
    if element.block_sizes is not None:
        pairs = zip(type.shape, element.parameters_shape, strict=True)
        sizes = {axis: n // count for axis, (n, count) in enumerate(pairs) if n != count}
        need(len(sizes) == 1, "scales that are shared along several dimensions, or along none")
        ((axis, size),) = sizes.items()
        return {"axis": axis, "block_size": size}
    return {} if element.quantization_dimension is None else {"axis": element.quantization_dimension}


def carrier(type: ElementType) -> np.dtype[Any]:
    """Return a dtype of NumPy's own that holds every number of an element type."""
    return np.dtype(np.float32 if type.kind == "float" else type.numpy)


def back(x: np.ndarray, type: TensorType) -> np.ndarray:
    """Return elements that a wider dtype carried as they are stored here."""
    if type.storage_type.is_integer:
        return x
    return x.astype(dtype_of(type.storage_type))


def check(model: Any) -> None:
    """Let onnx check the model; raise `NotExpressible` where an operator does not take a type."""
    try:
        checker.check_model(model, full_check=True)
    except (checker.ValidationError, shape_inference.InferenceError) as error:
        found = re.search(r"op_type:(\w+).*has unsupported type: tensor\((\w+)\)", str(error))
        if not found:
            raise
        raise NotExpressible(f"ONNX's {found[1]} has no {found[2]}") from None


def versions() -> str:
    """Return the versions of what runs."""
    import onnxruntime

    return f"onnxruntime {onnxruntime.__version__}, onnx {onnx.__version__}"
