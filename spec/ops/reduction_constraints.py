"""The constraint rows of the reductions, and what jaxlib's verifier and the reduction RFC accept instead."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from spec.constraint import C, Constraint, Input
from spec.ir import Op, Region, Value
from spec.members import (
    Element,
    element_type,
    init_value,
    init_values,
    inputs,
    is_integers,
    is_per_tensor,
    is_unique,
    kind,
    operand,
    rank,
    results,
    same,
    shape,
    source,
)
from spec.notation import baseline_element_type, is_promotable
from spec.types import ELEMENT_TYPES, TensorType

Judge = Callable[[Element, Element], bool]


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


def is_integer(type: Element) -> bool:
    return kind(type) in ("signed", "unsigned")


def is_same_kind(x: Element, y: Element) -> bool:
    """Rows A, F and G of the RFC's table, and H for complex numbers (erratum E15)."""
    return kind(x) == kind(y) or (is_integer(x) and is_integer(y))


def is_promotable_in_mlir(x: Element, y: Element) -> bool:
    """What jaxlib's verifier promotes (erratum E6): a float to any float, a boolean like a 1-bit integer."""
    kinds = {kind(x), kind(y)}
    if "quantized" in kinds or kinds == {"complex"}:
        return is_promotable(x, y)
    return kinds == {"float"} or (kinds <= {"boolean", "signed", "unsigned"} and x.bits <= y.bits)  # type: ignore[union-attr]


def is_same_in_mlir(x: Element, y: Element) -> bool:
    """Equal but for scales and zero points (errata E12, E14)."""
    return baseline_element_type(x) == baseline_element_type(y)


def is_same_but_precision(x: Element, y: Element) -> bool:
    """What jaxlib's verifier takes for a source: any float for a float."""
    return x == y or kind(x) == kind(y) == "float"


def is_rfc_result(result: Element, input: Element, E: Element) -> bool:
    """The body's type (C8), or another of the same baseline as the input (erratum E7)."""
    return result == E or is_same_in_mlir(result, input)


def signature(body: Region) -> tuple[list[TensorType], list[TensorType]]:
    """The types of a body's arguments and returns."""
    return [v.type for v in body.arguments], [v.type for v in body.returns]


def accumulators(body: Region) -> tuple[Element, ...]:
    """E0, ..., EN-1: the element types that a body returns."""
    return tuple(map(element_type, body.returns))


def is_reducer(body: Region, n: int) -> bool:
    """(tensor<E0>, ..., tensor<EN-1>, tensor<E0>, ..., tensor<EN-1>) -> (tensor<E0>, ..., tensor<EN-1>)."""
    arguments, returns = signature(body)
    return len(returns) == n and arguments == returns * 2 and all(type.shape == () for type in returns)


def body_takes(promotes: Judge) -> Callable[[Op], bool]:
    """The body is a reducer whose Ei `promotes` each element_type(inputs[i])."""
    return lambda op: is_reducer(op.regions[0], len(inputs(op))) and pairwise(promotes, inputs)(op)


def pairwise(judge: Judge, values: Callable[[Op], Sequence[Value]]) -> Callable[[Op], bool]:
    """`judge(element_type(values[i]), Ei)` for all i, with Ei of the body."""
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


def result_shape(op: Op) -> tuple[int, ...]:
    """shape(inputs...) without the dimension sizes corresponding to `dimensions`."""
    return tuple(n for d, n in enumerate(shape(operand(op))) if d not in op["dimensions"])


def windows(op: Op) -> tuple[int, ...]:
    """num_windows; select_and_scatter has no dilations."""
    ones = (1,) * rank(operand(op))
    dilations = [op.attributes.get(name, ones) for name in ("base_dilations", "window_dilations")]
    return num_windows(
        shape(operand(op)), op["padding"], op["window_dimensions"], op["window_strides"], *dilations
    )


def vector(number: int, name: str) -> Constraint:
    formula = f"{name}: 1-dimensional tensor constant of type si64"
    return Input(number, formula, lambda op: is_integers(op[name]), name)


def sized(number: int, name: str, of: str) -> Constraint:
    formula = f"size({name}) = rank({of})"
    return C(number, formula, lambda op: len(op[name]) == rank(operand(op)), f"{name}, rank({of})")


def positive(number: int, name: str) -> Constraint:
    return C(number, f"0 < {name}", lambda op: all(n > 0 for n in op[name]), name)


def padded(number: int, of: str) -> Constraint:
    formula = f"shape(padding) = [rank({of}), 2]"
    holds = lambda op: [len(pair) for pair in op["padding"]] == [2] * rank(operand(op))
    return C(number, formula, holds, f"padding, rank({of})")


def numbered(row: Constraint, number: int) -> Constraint:
    """The same row of another op."""
    return row._replace(number=number)


INPUTS = Input(
    1,
    "inputs: variadic number of tensors or per-tensor quantized tensors",
    lambda op: all(map(is_per_tensor, inputs(op))),
    "type(inputs...)",
)
INIT_VALUES = Input(
    2,
    "init_values: variadic number of 0-dimensional tensors or per-tensor quantized tensors",
    lambda op: all(rank(value) == 0 for value in init_values(op)),
    "type(init_values...)",
)
PADDING = Input(
    7,
    "padding: 2-dimensional tensor constant of type si64",
    lambda op: all(map(is_integers, op["padding"])),
    "padding",
)
BODY = Input(4, "body: function", lambda op: len(op.regions) == 1)
SAME_SHAPES = C(1, "same(shape(inputs...))", lambda op: same(map(shape, inputs(op))), "shape(inputs...)")
SAME_ELEMENTS = C(
    2,
    "element_type(inputs...) = element_type(init_values...)",
    same_elements,
    "element_type(inputs...), element_type(init_values...)",
    mlir=lambda op: same_elements(op) or pairwise(is_promotable_in_mlir, init_values)(op),  # erratum E12
    rfc=same_elements,
)
SIZES = C(
    3,
    "0 < size(inputs) = size(init_values) = size(results) = N",
    lambda op: 0 < len(inputs(op)) == len(init_values(op)) == len(op.results),
    "size(inputs), size(init_values), size(results)",
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
    pairwise(operator.eq, results),
    "element_type(results...), type(body)",
    mlir=pairwise(is_same_in_mlir, results),  # erratum E14
    rfc=results_in_rfc,  # erratum E7
)

REDUCE = (
    INPUTS,
    INIT_VALUES,
    vector(3, "dimensions"),
    BODY,
    SAME_SHAPES,
    SAME_ELEMENTS,
    SIZES,
    C(
        4,
        "0 <= dimensions < rank(inputs[0])",
        lambda op: all(0 <= d < rank(operand(op)) for d in op["dimensions"]),
        "dimensions, rank(inputs[0])",
    ),
    C(5, "is_unique(dimensions)", lambda op: is_unique(op["dimensions"]), "dimensions"),
    REDUCER,
    C(
        7,
        "shape(results...) = shape(inputs...) except that the dimension sizes of inputs... corresponding to "
        "dimensions are not included",
        lambda op: all(shape(result) == result_shape(op) for result in op.results),
        "shape(results...), shape(inputs...), dimensions",
    ),
    RESULTS,
)

REDUCE_WINDOW = (
    INPUTS,
    INIT_VALUES,
    vector(3, "window_dimensions"),
    vector(4, "window_strides"),
    vector(5, "base_dilations"),
    vector(6, "window_dilations"),
    PADDING,
    numbered(BODY, 8),
    numbered(SIZES, 1),
    numbered(SAME_SHAPES, 2),
    numbered(SAME_ELEMENTS, 3),
    sized(4, "window_dimensions", "inputs[0]"),
    positive(5, "window_dimensions"),
    sized(6, "window_strides", "inputs[0]"),
    positive(7, "window_strides"),
    sized(8, "base_dilations", "inputs[0]"),
    positive(9, "base_dilations"),
    sized(10, "window_dilations", "inputs[0]"),
    positive(11, "window_dilations"),
    padded(12, "inputs[0]"),
    numbered(REDUCER, 13),
    C(14, "same(shape(results...))", lambda op: same(map(shape, op.results)), "shape(results...)"),
    C(
        15,
        "shape(results[0]) = num_windows",
        lambda op: shape(op.results[0]) == windows(op),
        "shape(results[0]), shape(inputs[0]), padding, window_dimensions, window_strides, base_dilations, "
        "window_dilations",
    ),
    numbered(RESULTS, 16),
)


def scatter_type(op: Op) -> Element:
    """E of (C10)."""
    return accumulators(op.regions[1])[0]


def same_init(op: Op) -> bool:
    return element_type(init_value(op)) == element_type(operand(op))


def is_select(op: Op) -> bool:
    """select has type (tensor<E>, tensor<E>) -> tensor<i1>"""
    E, arguments, returns = TensorType((), element_type(operand(op))), *signature(op.regions[0])
    return arguments == [E, E] and returns == [TensorType((), ELEMENT_TYPES["i1"])]


def scatter_takes(promotes: Judge, value: Callable[[Op], Value]) -> Callable[[Op], bool]:
    """scatter is a reducer whose E `promotes` the value's element type."""
    return lambda op: is_reducer(op.regions[1], 1) and promotes(element_type(value(op)), scatter_type(op))


SELECT_AND_SCATTER = (
    Input(
        1,
        "operand: tensor or per-tensor quantized tensor",
        lambda op: is_per_tensor(operand(op)),
        "type(operand)",
    ),
    Input(
        2,
        "source: tensor or per-tensor quantized tensor",
        lambda op: is_per_tensor(source(op)),
        "type(source)",
    ),
    Input(
        3,
        "init_value: 0-dimensional tensor or per-tensor quantized tensor",
        lambda op: len(op.operands) == 3 and rank(init_value(op)) == 0,
        "type(init_value)",
    ),
    vector(4, "window_dimensions"),
    vector(5, "window_strides"),
    numbered(PADDING, 6),
    Input(8, "select, scatter: function", lambda op: len(op.regions) == 2),
    C(
        1,
        "element_type(operand) = element_type(source)",
        lambda op: element_type(operand(op)) == element_type(source(op)),
        "element_type(operand), element_type(source)",
        mlir=lambda op: is_same_but_precision(element_type(operand(op)), element_type(source(op))),
    ),
    C(
        2,
        "shape(source) = num_windows",
        lambda op: shape(source(op)) == windows(op),
        "shape(source), shape(operand), padding, window_dimensions, window_strides",
    ),
    C(
        3,
        "element_type(init_value) = element_type(operand)",
        same_init,
        "element_type(init_value), element_type(operand)",
        mlir=lambda op: (
            same_init(op) or is_promotable_in_mlir(element_type(init_value(op)), scatter_type(op))
        ),
        rfc=same_init,
    ),
    sized(4, "window_dimensions", "operand"),
    positive(5, "window_dimensions"),
    sized(6, "window_strides", "operand"),
    positive(7, "window_strides"),
    padded(8, "operand"),
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
    C(
        11,
        "shape(operand) = shape(result)",
        lambda op: shape(operand(op)) == shape(op.result),
        "shape(operand), shape(result)",
    ),
    C(
        12,
        "element_type(result) = E",
        lambda op: element_type(op.result) == scatter_type(op),
        "element_type(result), type(scatter)",
        mlir=lambda op: is_same_in_mlir(element_type(op.result), scatter_type(op)),  # erratum E14
        rfc=lambda op: is_rfc_result(element_type(op.result), element_type(operand(op)), scatter_type(op)),
    ),
)
