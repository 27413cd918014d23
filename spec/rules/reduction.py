"""The constraint rows of reduce, reduce_window, select_and_scatter, with jaxlib's and the RFC's variants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spec.ir import Op, Region, Value
from spec.rules.constraint import (
    C,
    Constraint,
    Input,
    inside,
    padding_row,
    positive,
    renumber,
    size_row,
    unique,
    vector,
)
from spec.rules.members import (
    Element,
    baseline_element_type,
    element_type,
    init_value,
    init_values,
    inputs,
    is_promotable,
    kind,
    operand,
    rank,
    results,
    shape,
    source,
)
from spec.types import ELEMENT_TYPES, TensorType, parse_type

# Promotion of element types in a reduction, in jaxlib's verifier and in the reduction RFC.


def is_same_kind(x: Element, y: Element) -> bool:
    """Return whether kinds agree, as rows A, F and G of the RFC's table say, and H for complex (E15)."""
    return kind(x) == kind(y) or {kind(x), kind(y)} <= {"signed", "unsigned"}


def is_promotable_in_mlir(x: Element, y: Element) -> bool:
    """Return whether jaxlib's verifier promotes (E6): any float to any, a boolean like a 1-bit integer."""
    kinds = {kind(x), kind(y)}
    if "quantized" in kinds or kinds == {"complex"}:
        return is_promotable(x, y)
    return kinds == {"float"} or (kinds <= {"boolean", "signed", "unsigned"} and x.bits <= y.bits)  # type: ignore[union-attr]


def is_same_in_mlir(x: Element, y: Element) -> bool:
    """Return whether types are equal except for scales and zero points (errata E12, E14)."""
    return baseline_element_type(x) == baseline_element_type(y)


def is_same_but_precision(x: Element, y: Element) -> bool:
    """Return whether jaxlib's verifier accepts a type as source: any float for a float."""
    return x == y or kind(x) == kind(y) == "float"


def is_rfc_result(result: Element, input: Element, E: Element) -> bool:
    """Return whether a result type is the body's (C8) or has the input's baseline (erratum E7)."""
    return result == E or is_same_in_mlir(result, input)


Judge = Callable[[Element, Element], bool]


def signature(body: Region) -> tuple[list[TensorType], list[TensorType]]:
    """Return the types of a body's arguments and returns."""
    return [v.type for v in body.arguments], [v.type for v in body.returns]


def accumulators(body: Region) -> tuple[Element, ...]:
    """Return E0, ..., EN-1: the element types that a body returns."""
    return tuple(map(element_type, body.returns))


def is_reducer(body: Region, n: int) -> bool:
    """(tensor<E0>, ..., tensor<EN-1>, tensor<E0>, ..., tensor<EN-1>) -> (tensor<E0>, ..., tensor<EN-1>)."""
    arguments, returns = signature(body)
    return len(returns) == n and arguments == returns * 2 and all(type.shape == () for type in returns)


def body_takes(promotes: Judge, values: Callable[[Op], Sequence[Value]] = inputs) -> Callable[[Op], bool]:
    """Return whether the body is a reducer whose Ei `promotes` each element_type(inputs[i])."""
    return lambda op: is_reducer(op.regions[0], len(values(op))) and in_pairs(promotes, values)(op)


def in_pairs(judge: Judge, values: Callable[[Op], Sequence[Value]]) -> Callable[[Op], bool]:
    """Return whether `judge(element_type(values[i]), Ei)` holds for all i, with the body's Ei."""
    return lambda op: all(
        judge(element_type(x), E) for x, E in zip(values(op), accumulators(op.regions[0]), strict=True)
    )


def same_elements(op: Op) -> bool:
    """element_type(inputs...) = element_type(init_values...)"""
    return list(map(element_type, inputs(op))) == list(map(element_type, init_values(op)))


def results_in_rfc(op: Op) -> bool:
    """element_type(results[i]) = Ei, or of the same baseline as element_type(inputs[i])"""
    types = (map(element_type, op.results), map(element_type, inputs(op)), accumulators(op.regions[0]))
    return all(is_rfc_result(*row) for row in zip(*types, strict=True))


def is_accumulated_as_said(op: Op, body: Region) -> bool:
    """Return whether the body's arguments have the `accumulation_type`, an attribute of an earlier RFC."""
    said = op.attributes.get("accumulation_type")
    return said is None or all(value.type == parse_type(repr(said)) for value in body.arguments)


def result_shape(op: Op) -> tuple[int, ...]:
    """Return shape(inputs...) without the sizes of `dimensions`."""
    return tuple(n for d, n in enumerate(shape(operand(op))) if d not in op["dimensions"])


INPUTS = Input(
    1, "inputs: variadic number of tensors or per-tensor quantized tensors", show="type(inputs...)"
)
INIT_VALUES = Input(
    2,
    "init_values: variadic number of 0-dimensional tensors or per-tensor quantized tensors",
    show="type(init_values...)",
)
PADDING = Input(7, "padding: 2-dimensional tensor constant of type si64")
BODY = Input(4, "body: function", lambda op: len(op.regions) == 1, "")
SAME_SHAPES = C(1, "same(shape(inputs...))", show="shape(inputs...)")
SAME_ELEMENTS = C(
    2,
    "element_type(inputs...) = element_type(init_values...)",
    show="element_type(inputs...), element_type(init_values...)",
    mlir=lambda op: same_elements(op) or in_pairs(is_promotable_in_mlir, init_values)(op),  # erratum E12
    rfc=same_elements,
)
SIZES = C(
    3,
    "0 < size(inputs) = size(init_values) = size(results) = N",
    show="size(inputs), size(init_values), size(results)",
)
REDUCER = C(
    6,
    "body has type (tensor<E0>, ..., tensor<EN-1>, tensor<E0>, ..., tensor<EN-1>) -> (tensor<E0>, ..., "
    "tensor<EN-1>) where is_promotable(element_type(inputs[i]), Ei)",
    body_takes(is_promotable),
    "element_type(inputs...), type(body)",
    mlir=body_takes(is_promotable_in_mlir),  # erratum E6
    rfc=body_takes(is_same_kind),  # erratum E15
)
RESULTS = C(
    8,
    "element_type(results[i]) = Ei for all i in [0,N)",
    show="element_type(results...), type(body)",
    mlir=in_pairs(is_same_in_mlir, results),  # erratum E14
    rfc=results_in_rfc,  # erratum E7
)

ACCUMULATION_TYPE = Constraint(
    1,
    "accumulation_type = type(func_inputs(body)...)",
    lambda op: True,
    "accumulation_type, type(body)",
    rfc=lambda op: is_accumulated_as_said(op, op.regions[0]),
    letter="r",
)

REDUCE = (
    INPUTS,
    INIT_VALUES,
    vector(3, "dimensions"),
    BODY,
    SAME_SHAPES,
    SAME_ELEMENTS,
    SIZES,
    inside(4, "dimensions", "inputs[0]"),
    unique(5, "dimensions"),
    REDUCER,
    C(
        7,
        "shape(results...) = shape(inputs...) except that the dimension sizes of inputs... corresponding to "
        "dimensions are not included",
        lambda op: all(shape(result) == result_shape(op) for result in op.results),
        "shape(results...), shape(inputs...), dimensions",
    ),
    RESULTS,
    ACCUMULATION_TYPE,
)

REDUCE_WINDOW = (
    INPUTS,
    INIT_VALUES,
    vector(3, "window_dimensions"),
    vector(4, "window_strides"),
    vector(5, "base_dilations"),
    vector(6, "window_dilations"),
    PADDING,
    renumber(BODY, 8),
    renumber(SIZES, 1),
    renumber(SAME_SHAPES, 2),
    renumber(SAME_ELEMENTS, 3),
    size_row(4, "window_dimensions", "inputs[0]"),
    positive(5, "window_dimensions"),
    size_row(6, "window_strides", "inputs[0]"),
    positive(7, "window_strides"),
    size_row(8, "base_dilations", "inputs[0]"),
    positive(9, "base_dilations"),
    size_row(10, "window_dilations", "inputs[0]"),
    positive(11, "window_dilations"),
    padding_row(12, "inputs[0]"),
    renumber(REDUCER, 13),
    C(14, "same(shape(results...))", show="shape(results...)"),
    C(
        15,
        "shape(results[0]) = num_windows",
        show="shape(results[0]), shape(inputs[0]), padding, window_dimensions, window_strides, "
        "base_dilations, window_dilations",
    ),
    renumber(RESULTS, 16),
    ACCUMULATION_TYPE,
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.reduce": REDUCE,
    "stablehlo.reduce_window": REDUCE_WINDOW,
}


# The constraint rows of select_and_scatter, with the variants of jaxlib and the reduction RFC.


def scatter_type(op: Op) -> Element:
    """Return the element type E that (C10) determines."""
    return accumulators(op.regions[1])[0]


def same_init(op: Op) -> bool:
    return element_type(init_value(op)) == element_type(operand(op))


def is_select(op: Op) -> bool:
    """Return whether select has the type (tensor<E>, tensor<E>) -> tensor<i1>."""
    E, arguments, returns = TensorType((), element_type(operand(op))), *signature(op.regions[0])
    return arguments == [E, E] and returns == [TensorType((), ELEMENT_TYPES["i1"])]


def scatter_takes(promotes: Judge, value: Callable[[Op], Value]) -> Callable[[Op], bool]:
    """Return whether scatter is a reducer whose E `promotes` the value's element type."""
    return lambda op: is_reducer(op.regions[1], 1) and promotes(element_type(value(op)), scatter_type(op))


SELECT_AND_SCATTER = (
    Input(1, "operand: tensor or per-tensor quantized tensor", show="type(operand)"),
    Input(2, "source: tensor or per-tensor quantized tensor", show="type(source)"),
    Input(
        3,
        "init_value: 0-dimensional tensor or per-tensor quantized tensor",
        lambda op: len(op.operands) == 3 and rank(init_value(op)) == 0,
        "type(init_value)",
    ),
    vector(4, "window_dimensions"),
    vector(5, "window_strides"),
    renumber(PADDING, 6),
    Input(8, "select, scatter: function", lambda op: len(op.regions) == 2, ""),
    C(
        1,
        "element_type(operand) = element_type(source)",
        show="element_type(operand), element_type(source)",
        mlir=lambda op: is_same_but_precision(element_type(operand(op)), element_type(source(op))),
    ),
    C(
        2,
        "shape(source) = num_windows",
        show="shape(source), shape(operand), padding, window_dimensions, window_strides",
    ),
    C(
        3,
        "element_type(init_value) = element_type(operand)",
        show="element_type(init_value), element_type(operand)",
        mlir=lambda op: (
            same_init(op) or is_promotable_in_mlir(element_type(init_value(op)), scatter_type(op))
        ),
        rfc=same_init,
    ),
    size_row(4, "window_dimensions", "operand"),
    positive(5, "window_dimensions"),
    size_row(6, "window_strides", "operand"),
    positive(7, "window_strides"),
    padding_row(8, "operand"),
    C(
        9,
        "select has type (tensor<E>, tensor<E>) -> tensor<i1> where E = element_type(operand)",
        is_select,
        "type(select), element_type(operand)",
    ),
    C(
        10,
        "scatter has type (tensor<E>, tensor<E>) -> tensor<E> where is_promotable(element_type(operand), E)",
        scatter_takes(is_promotable, operand),
        "type(scatter), element_type(operand)",
        mlir=scatter_takes(is_promotable_in_mlir, source),  # erratum E6
        rfc=scatter_takes(is_same_kind, operand),  # erratum E15
    ),
    C(11, "shape(operand) = shape(result)", show="shape(operand), shape(result)"),
    C(
        12,
        "element_type(result) = E",
        show="element_type(result), type(scatter)",
        mlir=lambda op: is_same_in_mlir(element_type(op.result), scatter_type(op)),  # erratum E14
        rfc=lambda op: is_rfc_result(element_type(op.result), element_type(operand(op)), scatter_type(op)),
    ),
    ACCUMULATION_TYPE._replace(
        formula="accumulation_type = type(func_inputs(scatter)...)",
        show="accumulation_type, type(scatter)",
        rfc=lambda op: is_accumulated_as_said(op, op.regions[1]),
    ),
)

SELECTION_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.select_and_scatter": SELECT_AND_SCATTER,
}
