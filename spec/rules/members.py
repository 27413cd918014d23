"""The names in the specification's formulas: members of an op (`inputs`) and functions on them (`rank`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from spec.elements import EXPRESSED_TYPES
from spec.formats import round_all
from spec.ir import Op, Region, Value
from spec.op_attributes import FORMS, attribute_or_default
from spec.processes import members as members_of_group
from spec.types import ElementType, QuantizedType, TensorType

Element = ElementType | QuantizedType
Members = dict[str, Callable[[Op], Any]]
COLLECTIVES = "all_gather all_reduce all_to_all collective_broadcast collective_reduce reduce_scatter".split()


def inputs(op: Op) -> tuple[Value, ...]:
    """Return the first half of a reduction's operands."""
    return op.operands[: (len(op.operands) + 1) // 2]


def init_values(op: Op) -> tuple[Value, ...]:
    """Return the second half of a reduction's operands."""
    return op.operands[(len(op.operands) + 1) // 2 :]


def operand(op: Op) -> Value:
    return op.operands[0]


def source(op: Op) -> Value:
    return op.operands[1]


def init_value(op: Op) -> Value:
    return op.operands[2]


def scattered_inputs(op: Op) -> tuple[Value, ...]:
    """Return the inputs of a scatter: the operands before the indices."""
    return op.operands[: len(op.operands) // 2]


def scatter_indices(op: Op) -> Value:
    return op.operands[len(op.operands) // 2]


def updates(op: Op) -> tuple[Value, ...]:
    """Return the updates of a scatter: the operands after the indices."""
    return op.operands[len(op.operands) // 2 + 1 :]


def values(op: Op) -> tuple[Value, ...]:
    """Return the operands and the results."""
    return (*op.operands, *op.results)


def results(op: Op) -> tuple[Value, ...]:
    return op.results


def rank(value: Value) -> int:
    return value.type.rank


def shape(value: Value) -> tuple[int, ...]:
    return value.type.shape


def element_type(value: Value) -> Element:
    return value.type.element_type


def is_quantized(value: Value) -> bool:
    return value.type.is_quantized


def is_per_axis_quantized(value: Value) -> bool:
    type = element_type(value)
    return isinstance(type, QuantizedType) and type.is_per_axis


def is_sub_channel(value: Value) -> bool:
    """Return whether a type is quantized by blocks, which only the ops of `quant` take."""
    type = element_type(value)
    return isinstance(type, QuantizedType) and type.block_sizes is not None


def is_per_tensor(value: Value) -> bool:
    """Return whether a value is a plain or a per-tensor quantized tensor."""
    return not is_per_axis_quantized(value) and not is_sub_channel(value)


def kind(type: Element) -> str:
    """Return the kind of a type: quantized, boolean, signed, unsigned, float or complex."""
    return "quantized" if isinstance(type, QuantizedType) else type.kind


def is_integer(value: Value) -> bool:
    """Return whether a value is a tensor of integers, not quantized."""
    return kind(element_type(value)) in ("signed", "unsigned")


def storage_type(value: Value) -> ElementType:
    return value.type.storage_type


def is_promotable(x: Element, y: Element) -> bool:
    """Return whether kinds and expressed types agree, and no bits of storage are lost; booleans too (E6)."""
    if isinstance(x, QuantizedType) or isinstance(y, QuantizedType):
        return (
            isinstance(x, QuantizedType)
            and isinstance(y, QuantizedType)
            and x.expressed_type == y.expressed_type
            and x.storage_type.bits <= y.storage_type.bits
        )
    return (x.kind == y.kind or (x.is_integer and y.is_integer)) and x.bits <= y.bits


def baseline_element_type(x: Element) -> Element:
    """Return the element type with scales 1 and zero points 0, so that all else can be compared."""
    if not isinstance(x, QuantizedType):
        return x
    return replace(x, scales=(1.0,) * len(x.scales), zero_points=(0,) * len(x.zero_points))


def baseline_type(x: TensorType) -> TensorType:
    """Return the tensor type of the same shape and `baseline_element_type`."""
    return TensorType(x.shape, baseline_element_type(x.element_type))


def baseline_of(value: Value) -> Element:
    """Return `baseline_element_type(value)`."""
    return baseline_element_type(element_type(value))


def quantization_dimension(value: Value) -> int | None:
    type = element_type(value)
    return type.quantization_dimension if isinstance(type, QuantizedType) else None


def expressed_type(value: Value) -> ElementType | None:
    """Return the expressed type of a quantized value; None if it is not quantized."""
    type = element_type(value)
    return type.expressed_type if isinstance(type, QuantizedType) else None


def same(xs: Iterable[Any]) -> bool:
    """Return whether all objects are equal."""
    items = list(xs)
    return all(x == items[0] for x in items)


def is_unique(xs: Sequence[Any]) -> bool:
    return len(set(xs)) == len(xs)


def ids(groups: object) -> list[int]:
    """Return the ids in all groups."""
    return [member for group in members_of_group(groups) for member in group]  # type: ignore[arg-type]


def num_windows(
    shape: Sequence[int],
    padding: Sequence[tuple[int, int]],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
) -> tuple[int, ...]:
    """is_empty_window ? 0 : floor((padded_input_shape - dilated_window_shape) / window_strides) + 1."""

    def along(n: int, pad: tuple[int, int], size: int, stride: int, base: int, dilation: int) -> int:
        dilated_input = 0 if n == 0 else (n - 1) * base + 1
        padded_input = pad[0] + dilated_input + pad[1]
        dilated_window = 0 if size == 0 else (size - 1) * dilation + 1
        is_empty_window = padded_input == 0 or dilated_window > padded_input
        return 0 if is_empty_window else (padded_input - dilated_window) // stride + 1

    columns = (shape, padding, window_dimensions, window_strides, base_dilations, window_dilations)
    return tuple(along(*column) for column in zip(*columns, strict=True))


def windows(op: Op) -> tuple[int, ...]:
    """Return num_windows of an operation; select_and_scatter has no dilations."""
    ones = (1,) * rank(operand(op))
    dilations = [op.attributes.get(name, ones) for name in ("base_dilations", "window_dilations")]
    return num_windows(
        shape(operand(op)), op["padding"], op["window_dimensions"], op["window_strides"], *dilations
    )


# Attributes that are one number: of a list no comparison is elementwise.
NUMBERS = set(
    """
    all_gather_dim axis batch_group_count concat_dimension dimension exponent_bits feature_group_count
    feature_index index index_vector_dim input_batch_dimension input_feature_dimension iota_dimension
    kernel_input_feature_dimension kernel_output_feature_dimension mantissa_bits num_bits
    output_batch_dimension output_feature_dimension scatter_dimension split_count split_dimension
    """.split()
)


def is_integer_constant(x: Any) -> bool:
    """Return whether a value is a constant of type si64 or si32; booleans are not."""
    return type(x) is int


def is_integers(x: Any) -> bool:
    """Return whether a value is a 1-dimensional constant of type si64."""
    return isinstance(x, tuple) and all(map(is_integer_constant, x))


def function_type(region: Region) -> str:
    """Return a region's type as the specification writes it: `(tensor<f32>) -> (tensor<f32>)`."""
    arguments, returns = ([v.type for v in values] for values in (region.arguments, region.returns))
    return f"({', '.join(map(repr, arguments))}) -> ({', '.join(map(repr, returns))})"


MEMBERS: Members = {
    "inputs": inputs,
    "init_values": init_values,
    "results": results,
    "operand": operand,
    "source": source,
    "init_value": init_value,
    "lhs": operand,
    "rhs": lambda op: op.operands[1],
    "result": lambda op: op.result,
    "operands": lambda op: op.operands,
    "body": lambda op: op.regions[0],
    "select": lambda op: op.regions[0],
    "scatter": lambda op: op.regions[1],
    "regions": lambda op: op.regions,
}
TYPE_MEMBERS: dict[str, Callable[[QuantizedType], Any]] = {
    "storage_type": lambda t: t.storage_type,
    "storage_min": lambda t: t.storage_min,
    "storage_max": lambda t: t.storage_max,
    "expressed_type": lambda t: t.expressed_type,
    "scales": lambda t: t.scales,
    "zero_points": lambda t: t.zero_points,
    "quantization_dimension": lambda t: t.quantization_dimension,
    "block_sizes": lambda t: t.block_sizes,
    "parameters_shape": lambda t: t.parameters_shape,
}


def rounded_scales(type: QuantizedType) -> list[float]:
    """Return the scales rounded to the expressed type, as computations use them; (C4) checks that type."""
    return list(_round_scales(type.scales, type.expressed_type))


@cache
def _round_scales(scales: tuple[float, ...], expressed: ElementType) -> tuple[float, ...]:
    known = expressed in EXPRESSED_TYPES
    return round_all(scales, expressed) if known else scales


def value_of_type(type: TensorType, name: str) -> Any:
    """Return the value of a name in a formula about a tensor type, which is `self`."""
    if name == "self":
        return Value("self", type)
    if name == "scales":
        return rounded_scales(type.quantized_element_type)
    return TYPE_MEMBERS[name](type.quantized_element_type)


def _places(*names: str) -> Members:
    """Return the members of an op whose operands have these names."""
    return {name: lambda op, k=k: op.operands[k] for k, name in enumerate(names)}  # type: ignore[misc]


def _results(*names: str) -> Members:
    return {name: lambda op, k=k: op.results[k] for k, name in enumerate(names)}  # type: ignore[misc]


def _default(name: str, value: Any) -> Members:
    """Return an attribute that may be left out."""
    return {name: lambda op: op.attributes.get(name, value)}


def _accumulator(k: int) -> Members:
    """Return the element type E that the body number k returns."""
    return {"E": lambda op: element_type(op.regions[k].returns[0])}


def _free_dimensions(side: str) -> Members:
    """Return the dimensions of a side of dot_general that are neither batching nor contracting."""
    bound = f"{side}_batching_dimensions", f"{side}_contracting_dimensions"

    def free(op: Op) -> list[int]:
        count = rank(MEMBERS[side](op))
        return [d for d in range(count) if d not in op[bound[0]] + op[bound[1]]]

    return {f"{side}_result_dimensions": free}


_ALL: Members = {"inputs": lambda op: op.operands}
_WINDOWS: Members = {"num_windows": windows}
_BODY: Members = {"Ei": lambda op: [element_type(value) for value in op.regions[0].returns]}
_REDUCE: Members = {"N": lambda op: len(inputs(op)), **_BODY}
_SCATTER: Members = {
    "inputs": scattered_inputs,
    "scatter_indices": scatter_indices,
    "updates": updates,
    "N": lambda op: len(op.results),
    **_BODY,
}
_PRECISION = _default("precision_config", ("DEFAULT", "DEFAULT"))
_CONVOLUTION: Members = {"N": lambda op: rank(op.operands[0]), **_PRECISION}
_GROUPS: Members = {"replica_groups": lambda op: ids(op["replica_groups"])}
_FAKE: Members = {
    "inputs": lambda op: op.operand,
    "num_bits": lambda op: attribute_or_default(op, "num_bits"),
}
_CASE: Members = {"branches": lambda op: op.regions}
_NORMALIZED = ("output", "batch_mean", "batch_var")
# Names in the formulas of single ops.
_OWN: dict[str, Members] = {
    "batch_norm_grad": {
        **_places("operand", "scale", "mean", "variance", "grad_output"),
        **_results("grad_operand", "grad_scale", "grad_offset"),
    },
    "batch_norm_inference": _places("operand", "scale", "offset", "mean", "variance"),
    "batch_norm_training": {**_places("operand", "scale", "offset"), **_results(*_NORMALIZED)},
    "case": _CASE,
    "cholesky": _places("a"),
    "clamp": _places("min", "operand", "max"),
    "concatenate": _ALL,
    "convolution": _CONVOLUTION,
    "dot_general": {**_PRECISION, **_free_dimensions("lhs"), **_free_dimensions("rhs")},
    "dynamic_broadcast_in_dim": {
        **_places("operand", "output_dimensions"),
        **_default("known_expanding_dimensions", ()),
        **_default("known_nonexpanding_dimensions", ()),
    },
    "dynamic_conv": {**_CONVOLUTION, **_places("lhs", "rhs", "padding")},
    "dynamic_gather": _places("operand", "start_indices", "slice_sizes"),
    "dynamic_iota": _places("output_shape"),
    "dynamic_pad": _places(
        "operand", "padding_value", "edge_padding_low", "edge_padding_high", "interior_padding"
    ),
    "dynamic_reshape": _places("operand", "output_shape"),
    "dynamic_slice": {"start_indices": lambda op: op.operands[1:]},
    "dynamic_update_slice": {**_places("operand", "update"), "start_indices": lambda op: op.operands[2:]},
    "gather": _places("operand", "start_indices"),
    "get_tuple_element": {"operand": lambda op: op.operand},
    "if": {"true_branch": lambda op: op.regions[0], "false_branch": lambda op: op.regions[1]},
    "infeed": {"result": results},
    "iota": _results("output"),
    "map": {**_ALL, "N": lambda op: len(op.operands)},
    "optimization_barrier": {"operand": lambda op: op.operands, "result": results},
    "pad": _places("operand", "padding_value"),
    "real_dynamic_slice": _places("operand", "start_indices", "limit_indices", "strides"),
    "reduce": _REDUCE,
    "reduce_window": {**_REDUCE, **_WINDOWS},
    "rng": _places("a", "b"),
    "rng_bit_generator": {**_places("initial_state"), **_results("output_state", "output")},
    "select": _places("pred", "on_true", "on_false"),
    "select_and_scatter": {**_WINDOWS, **_accumulator(1)},
    "sort": _ALL,
    "triangular_solve": _places("a", "b"),
    "while": {"operand": lambda op: op.operands},
    "scatter": _SCATTER,
    **dict.fromkeys(COLLECTIVES, _GROUPS),
    "all_reduce": {**_GROUPS, **_accumulator(0)},
    "reduce_scatter": {**_GROUPS, **_accumulator(0)},
    "collective_broadcast": {**_GROUPS, **_default("has_dynamic_root", False)},
}
OWN: dict[str, Members] = {f"stablehlo.{name}": own for name, own in _OWN.items()}
OWN |= {f"quant.{name}": _places("arg") for name in ("stats", "stats_ref", "coupled_ref")}
OWN["quant.region"] = {**_ALL, "outputs": results}
OWN |= dict.fromkeys(FORMS, _FAKE)


def value_of(subject: Any, name: str) -> Any:
    """Return the value of a name in a formula: a member, an attribute, or a word in capitals."""
    if isinstance(subject, TensorType):
        return value_of_type(subject, name)
    return member(subject.name, name)(subject)


@cache
def member(operation: str, name: str) -> Callable[[Any], Any]:
    """Return how an operation's formulas read a name."""
    own = OWN.get(operation, {})
    if found := own.get(name) or MEMBERS.get(name):
        return found
    if name.isupper() and len(name) > 1:
        return lambda op: name
    return partial(number, name=name) if name in NUMBERS else lambda op: op[name]


def number(op: Any, name: str) -> int:
    """Return an attribute that is one number; `TypeError` where it is another value."""
    value = op[name]
    if not is_integer_constant(value):
        raise TypeError(f"{name} = {value!r} is no number")
    return value
