"""Contractions with what their operators take in: a bias, the requantization of the sum, an activation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import frexp
from typing import Any

import numpy as np

from interp.apps.litert.fixed_point import limits, ratio
from interp.apps.litert.schema import ACTIVATIONS
from interp.apps.litert.writing.walk import Walk, Written
from interp.apps.runtimes import views
from interp.apps.runtimes.litert_graph import slot_of
from interp.apps.runtimes.litert_model import Slot
from interp.apps.runtimes.litert_rules import to_order, to_shape
from interp.apps.runtimes.litert_runtime import write_padding
from interp.apps.runtimes.translation import Operand, need
from interp.engine.recipes import quantize_multiplier
from spec.ir import Op, Value
from spec.multipliers import DOUBLE, F64, has_multipliers, multipliers_in
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType

CONTRACTIONS = ("stablehlo.convolution", "stablehlo.dot_general")
BITCAST, QUANTIZE = "stablehlo.bitcast_convert", "stablehlo.uniform_quantize"
I32 = ELEMENT_TYPES["i32"]
FUSED = ("RELU", "RELU6", "RELU_N1_TO_1")
OF_FLOATS = {(0.0, np.inf): "RELU", (0.0, 6.0): "RELU6", (-1.0, 1.0): "RELU_N1_TO_1"}


@dataclass
class Chain:
    """A contraction and the operations after it that one operator computes, each the only reader.

    bias: a number for each output feature, integers in units of the sum. rescaling: what requantizes the sum.
    """

    op: Op
    ops: list[Op]
    bias: np.ndarray | None = None
    rescaling: Op | None = None
    activation: str = "NONE"

    @property
    def type(self) -> TensorType:
        return self.ops[-1].result.type

    @property
    def feature(self) -> int:
        """The dimension of the output features."""
        if self.op.name == "stablehlo.convolution":
            return int(self.op["output_feature_dimension"])
        return self.op.result.type.rank - 1


def write_contraction(walk: Walk, op: Op) -> Written:
    """Write a contraction with what follows it."""
    found = chain(walk, op)
    types = [v.type for v in op.operands]
    if found.type.is_quantized:
        need(all(type.is_quantized for type in types), "floats by integers")
        need({t.storage_type.name for t in (*types, found.type)} == {"i8"}, "other types than i8")
        need(types[0].quantized_element_type.is_per_tensor, "several scales of the first operand")
        need(not any(types[1].quantized_element_type.zero_points), "weights with zero points")
        check_multipliers(found)
    else:
        need({t.element_type for t in (*types, found.type)} == {ELEMENT_TYPES["f32"]}, f"{found.type!r}")
    write = convolve if op.name == "stablehlo.convolution" else multiply
    return write(walk, found), found.ops


def chain(walk: Walk, op: Op) -> Chain:
    """Return a contraction with the bias, the requantization and the activation that follow it."""
    found = Chain(op, [op])
    _take_bias(walk, found)
    user = walk.only_user(found.ops[-1].result)
    if found.type.is_quantized and found.type.storage_type == I32:
        need(
            user is not None and user.name == QUANTIZE and user.result.type.is_quantized, "a sum that is kept"
        )
        assert user is not None
        found.rescaling = user
        found.ops.append(user)
    if name := activation(walk, found.ops[-1].result):
        found.activation = name
        found.ops.append(walk.users[found.ops[-1].result.name][0])
    return found


def _take_bias(walk: Walk, found: Chain) -> None:
    """Take in an addition of one number for each feature, of integers also behind reinterpretations."""
    sum_ = found.op.result
    first = walk.only_user(sum_)
    inner = (
        first.result if first and first.name == BITCAST and first.result.type.element_type == I32 else sum_
    )
    add = walk.only_user(inner)
    if add is None or add.name != "stablehlo.add" or add.result.type != inner.type:
        return
    last = walk.only_user(add.result) if inner is not sum_ else add
    if last is None or last.result.type != sum_.type:
        return
    others = [v for v in add.operands if v.name != inner.name]
    array = walk.array(others[0]) if others else None
    if array is None:
        return
    vector = np.moveaxis(array, found.feature, -1).reshape(-1, array.shape[found.feature])
    if vector.size and (vector == vector[0]).all():
        found.bias = vector[0]
        found.ops += [first, add, last] if first and inner is not sum_ else [add]


def activation(walk: Walk, x: Value) -> str:
    """Return the name of the fused activation that alone reads a value, or ""."""
    op = walk.only_user(x)
    if op is None or op.result.type != x.type:
        return ""
    if op.name == "stablehlo.maximum" and not x.type.is_quantized:
        other = next((v for v in op.operands if v.name != x.name), x)
        array = walk.array(other)
        return "RELU" if array is not None and array.size and not array.any() else ""
    if op.name != "stablehlo.clamp" or op.operands[1].name != x.name:
        return ""
    ends = [walk.array(op.operands[k]) for k in (0, 2)]
    if any(end is None or end.size != 1 for end in ends):
        return ""
    low, high = (end.item() for end in ends if end is not None)
    if not x.type.is_quantized:
        return OF_FLOATS.get((low, high), "")
    type = x.type.quantized_element_type
    return next((name for name in FUSED if limits(name, type) == (low, high)), "")


def check_multipliers(found: Chain) -> None:
    """Require that the multipliers that the program gives are those that LiteRT computes."""
    if found.rescaling is None or not has_multipliers(found.rescaling):
        return
    (x, w), y = (v.type.quantized_element_type for v in found.op.operands), found.type.quantized_element_type
    reals = [ratio(x.scale, scale, y.scale) for scale in w.scales]
    given = multipliers_in(found.rescaling)
    if found.op.name == "stablehlo.convolution":
        expected = [quantize_multiplier(real, 30, found.op.location) for real in reals]
        rounding = DOUBLE
    else:
        expected = [(int(frexp(real)[0] * 2**53), frexp(real)[1] - 22) for real in reals]
        rounding = F64
    same = list(zip(given.multipliers, given.shifts, strict=True)) == expected
    need(same and given.rounding == rounding, "other multipliers than LiteRT computes from the scales")


def bias_slot(walk: Walk, found: Chain, count: int) -> int:
    """Keep the bias, or zeros."""
    x, w = (v.type for v in found.op.operands)
    dtype: Any = np.int32 if x.is_quantized else np.float32
    data = np.zeros(count, dtype) if found.bias is None else found.bias.astype(dtype)
    scales: Sequence[float] = ()
    if x.is_quantized:
        of_x = x.quantized_element_type.scale
        scales = [float(np.float32(of_x) * np.float32(s)) for s in w.quantized_element_type.scales]
    walk.graph.hint = f"{found.op.result.name.lstrip('%')}.bias"
    return walk.graph.hold(Slot(data.dtype.name, (count,), scales, data=data))


def weights_slot(walk: Walk, found: Chain, array: np.ndarray, axis: int) -> int:
    """Keep weights in the order of an operator, with their scales along the dimension `axis`."""
    value = found.op.operands[1]
    element: Any = value.type.element_type
    if isinstance(element, QuantizedType):
        low, high = element.storage_type.min_value, element.storage_type.max_value
        place = axis if element.is_per_axis else None
        element = replace(element, storage_min=low, storage_max=high, quantization_dimension=place)
    walk.graph.hint = value.name.lstrip("%")
    return walk.graph.hold(slot_of(TensorType(array.shape, element), np.ascontiguousarray(array)))


def _result(
    walk: Walk, found: Chain, shape: Sequence[int], operator: str, inputs: list[int], **options: Any
) -> Operand:
    walk.graph.hint = found.ops[-1].result.name.lstrip("%")
    fused = {"fusedActivationFunction": ACTIVATIONS.index(found.activation)}
    type = TensorType(tuple(shape), found.type.element_type)
    tables = {"CONV_2D": "Conv2DOptions", "DEPTHWISE_CONV_2D": "DepthwiseConv2DOptions"}
    table = tables.get(operator, "FullyConnectedOptions")
    return walk.graph.add(operator, inputs, type, table, options | fused)


def convolve(walk: Walk, found: Chain) -> Operand:
    """Write CONV_2D, or DEPTHWISE_CONV_2D where each group has one input feature; channels are last."""
    op, at = found.op, views.kernel(found.op)
    need(len(at.strides) <= 2, f"{len(at.strides)} spatial dimensions")
    flat = [1] * (2 - len(at.strides))
    array = walk.demand(op.operands[1], "weights")
    _check_axis(op.operands[1], at.rhs_order[0])
    weights = array.transpose([at.rhs_order[0], *at.rhs_order[2:], at.rhs_order[1]])
    weights = weights.reshape(weights.shape[0], *flat, *weights.shape[1:])
    x = walk.operand(op.operands[0])
    order = at.lhs_order
    x = to_order(walk.graph, x, [order[0], *order[2:], order[1]])
    x = to_shape(walk.graph, x, [x.type.shape[0], *flat, *x.type.shape[1:]])
    shaped = Operand(0, TensorType(weights.shape, op.operands[1].type.storage_type))
    x, padding = write_padding(walk.graph, x, shaped, at, len(flat))
    is_depthwise = at.groups > 1 and weights.shape[3] == 1
    options = {
        "padding": padding,
        "strideH": [*flat, *at.strides][0],
        "strideW": at.strides[-1],
        "dilationHFactor": [*flat, *at.dilations][0],
        "dilationWFactor": at.dilations[-1],
    }
    if is_depthwise:
        options["depthMultiplier"] = weights.shape[0] // at.groups
        w = weights_slot(walk, found, weights.transpose(3, 1, 2, 0), 3)
    else:
        w = weights_slot(walk, found, weights, 0)
    batch, features, *spatial = (found.type.shape[k] for k in at.result_order)
    inputs = [x.handle, w, bias_slot(walk, found, features)]
    operator = "DEPTHWISE_CONV_2D" if is_depthwise else "CONV_2D"
    y = _result(walk, found, [batch, *flat, *spatial, features], operator, inputs, **options)
    y = to_shape(walk.graph, y, (batch, *spatial, features))
    result = [at.result_order[0], *at.result_order[2:], at.result_order[1]]
    return to_order(walk.graph, y, views.inverse(result))


def _check_axis(weights: Value, axis: int) -> None:
    element = weights.type.element_type
    is_fine = not isinstance(element, QuantizedType) or element.quantization_dimension in (None, axis)
    need(is_fine, "scales along another dimension than output features")


def multiply(walk: Walk, found: Chain) -> Operand:
    """Write FULLY_CONNECTED, whose weights are constant."""
    op, at = found.op, views.matrix_product(found.op)
    need(at.batch == 1 and not op["lhs_batching_dimensions"], "products of several matrices")
    array = walk.demand(op.operands[1], "weights")
    columns = [k for k in at.rhs_order if k not in op["rhs_contracting_dimensions"]]
    need(len(columns) == 1, "several output dimensions of the weights")
    _check_axis(op.operands[1], columns[0])
    weights = array.transpose(at.rhs_order).reshape(at.contracted, at.columns).T
    x = to_order(walk.graph, walk.operand(op.operands[0]), at.lhs_order)
    x = to_shape(walk.graph, x, [at.rows, at.contracted])
    inputs = [x.handle, weights_slot(walk, found, weights, 0), bias_slot(walk, found, at.columns)]
    y = _result(walk, found, [at.rows, at.columns], "FULLY_CONNECTED", inputs)
    return to_shape(walk.graph, y, found.type.shape)
