"""The constraint rows of the ops that run functions or regions, on devices too; of tuples and barriers."""

from __future__ import annotations

from collections.abc import Sequence

from spec.grid import MANUAL, Axis, Mesh, manual, programs
from spec.ir import Func, Module, Op, Region, Value
from spec.rules.constraint import SHOWN, C, Constraint, Input, scalar, vector
from spec.rules.members import element_type, is_per_tensor, same, shape, values
from spec.types import ELEMENT_TYPES, TensorType, TokenType, TupleType

PREDICATE = TensorType((), ELEMENT_TYPES["i1"])


def functions(number: int, names: str, least: int, most: int | None = None) -> Constraint:
    """Return the row for inputs that are functions, from `least` to `most` of them."""
    holds = lambda op: least <= len(op.regions) and (most is None or len(op.regions) <= most)
    return Input(number, names, holds, "size(regions)")


def types(values: Sequence[Value]) -> list[TensorType]:
    return [value.type for value in values]


def inputs_of(function: Region) -> list[TensorType]:
    return types(function.arguments)


def outputs_of(function: Region) -> list[TensorType]:
    return types(function.returns)


def takes_and_gives(op: Op) -> bool:
    """Return whether the body takes the types of the operands and returns those of the results."""
    (body,) = op.regions
    return inputs_of(body) == types(op.operands) and outputs_of(body) == types(op.results)


def alike(number: int, formula: str) -> Constraint:
    return C(number, formula, show="type(regions...)")


def gives_results(number: int, name: str) -> Constraint:
    return C(number, f"type(results...) = output_types({name})", show="type(results...), type(regions...)")


CASE = (
    Input(
        1,
        "index: 0-dimensional tensor of type si32",
        lambda op: types(op.operands) == [TensorType((), ELEMENT_TYPES["i32"])],
        SHOWN,
    ),
    C(1, "0 < size(branches)", show="size(regions)"),
    alike(2, "input_types(branches...) = []"),
    alike(3, "same(output_types(branches...))"),
    gives_results(4, "branches[0]"),
)

IF = (
    Input(1, "pred: 0-dimensional tensor of type i1", lambda op: types(op.operands) == [PREDICATE], SHOWN),
    functions(2, "true_branch, false_branch: functions", 2, 2),
    alike(1, "input_types(true_branch) = input_types(false_branch) = []"),
    alike(2, "output_types(true_branch) = output_types(false_branch)"),
    gives_results(3, "true_branch"),
)

WHILE = (
    functions(2, "cond, body: functions", 2, 2),
    C(
        1,
        "cond has type (T0, ..., TN-1) -> tensor<i1> where Ti = type(operand[i])",
        lambda op: (
            inputs_of(op.regions[0]) == types(op.operands) and outputs_of(op.regions[0]) == [PREDICATE]
        ),
        "type(operands...), type(regions...)",
    ),
    C(
        2,
        "body has type (T0, ..., TN-1) -> (T0, ..., TN-1) where Ti = type(operand[i])",
        lambda op: inputs_of(op.regions[1]) == types(op.operands) == outputs_of(op.regions[1]),
        "type(operands...), type(regions...)",
    ),
    C(3, "type(results...) = type(operand...)", show=SHOWN),
)

OPTIMIZATION_BARRIER = (
    Input(
        1,
        "operand: variadic number of tensors or per-tensor quantized tensors",
        lambda op: all(map(is_per_tensor, values(op))),
        SHOWN,
    ),
    C(1, "type(operand...) = type(result...)", show=SHOWN),
)

PER_TENSOR = Input(
    1,
    "inputs: variadic number of tensors or per-tensor quantized tensors",
    lambda op: all(map(is_per_tensor, values(op))),
    SHOWN,
)


def scalars(values: Sequence[Value], times: int = 1) -> list[TensorType]:
    """Return the types of one element of each value, each type `times` times."""
    return [TensorType((), element_type(value)) for value in values for _ in range(times)]


MAP = (
    PER_TENSOR,
    vector(2, "dimensions"),
    functions(3, "computation: function", 1, 1),
    C(
        1,
        "shape(inputs...) = shape(result)",
        lambda op: len(op.results) == 1 and same(map(shape, values(op))),
        SHOWN,
    ),
    C(2, "0 < size(inputs) = N", show=SHOWN),
    C(3, "dimensions = range(rank(inputs[0]))", show="dimensions, type(operands...)"),
    C(
        4,
        "computation has type (tensor<E0>, ..., tensor<EN-1>) -> tensor<E'> "
        "where Ei = element_type(inputs[i]) and E' = element_type(result)",
        lambda op: (
            inputs_of(op.regions[0]) == scalars(op.operands)
            and outputs_of(op.regions[0]) == scalars(op.results)
        ),
        f"{SHOWN}, type(regions...)",
    ),
)

SORT = (
    PER_TENSOR,
    scalar(2, "dimension"),
    Input(3, "is_stable: constant of type i1"),
    functions(4, "comparator: function", 1, 1),
    C(1, "0 < size(inputs)", show=SHOWN),
    C(2, "type(inputs...) = type(results...)", show=SHOWN),
    C(3, "same(shape(inputs...) + shape(results...))", show=SHOWN),
    C(4, "-R <= dimension < R, where R = rank(inputs[0])", show="dimension, type(operands...)"),
    C(
        5,
        "comparator has type (tensor<E0>, tensor<E0>, ..., tensor<EN-1>, tensor<EN-1>) -> tensor<i1> "
        "where Ei = element_type(inputs[i])",
        lambda op: (
            inputs_of(op.regions[0]) == scalars(op.operands, 2) and outputs_of(op.regions[0]) == [PREDICATE]
        ),
        "type(operands...), type(regions...)",
    ),
)

# The other rows of composite are judged together with its module.
NAMESPACED = C(1, "is_namespaced_op_name(name)", show="name")

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "func.call": (),
    "stablehlo.composite": (NAMESPACED,),
    "stablehlo.case": CASE,
    "stablehlo.if": IF,
    "stablehlo.map": MAP,
    "stablehlo.optimization_barrier": OPTIMIZATION_BARRIER,
    "stablehlo.sort": SORT,
    "stablehlo.while": WHILE,
}


# The constraint rows of interpreter.run_parallel, which runs functions of its module on a process grid.


def is_rectangle(op: Op) -> bool:
    rows = programs(op)
    return bool(rows and rows[0]) and {len(row) for row in rows} == {len(rows[0])}


RUN_PARALLEL = (
    Input(1, "programs: a list of lists of functions, all of one size", is_rectangle, "programs"),
)

# Its operands and results are judged together with its module.
COUNTS = (
    C(
        1,
        "the operands and results are those of all programs, one after the other",
        lambda call: (
            types(call[0].operands) == [v.type for f in grid_functions(*call) for v in f.inputs]
            and types(call[0].results) == [type for f in grid_functions(*call) for type in f.results]
        ),
    ),
)


def grid_functions(op: Op, module: Module) -> list[Func]:
    """Return the function of each process."""
    return [module[name] for row in programs(op) for name in row]


GRID_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {"interpreter.run_parallel": RUN_PARALLEL}


# The constraint rows of the sdy dialect's operations.

SHARDINGS = "in_shardings, out_shardings, manual_axes, type(operands...), type(results...)"


def whole(type: TensorType, dimensions: Sequence[Sequence[Axis]], mesh: Mesh) -> tuple[int, ...]:
    """Return the shape of the whole tensor if each device has a part of this type."""
    sizes, shape = dict(mesh.axes), list(type.shape)
    for d, axes in enumerate(dimensions):
        for axis in axes:
            shape[d] *= axis.size or sizes[axis.name]
    return tuple(shape)


def are_parts(values: Sequence[Value], parts: Sequence[Value], dimensions: Sequence, mesh: Mesh) -> bool:  # type: ignore[type-arg]
    rows = zip(values, parts, dimensions, strict=True)
    return all(
        value.type.element_type == part.type.element_type
        and len(axes) == part.type.rank
        and value.type.shape == whole(part.type, axes, mesh)
        for value, part, axes in rows
    )


def takes_parts(op: Op) -> bool:
    layout = manual(op)
    return are_parts(op.operands, op.regions[0].arguments, layout.operands, layout.mesh)


def gives_parts(op: Op) -> bool:
    layout = manual(op)
    return are_parts(op.results, op.regions[0].returns, layout.results, layout.mesh)


MANUAL_COMPUTATION = (
    C(1, "the body's arguments are the operands' parts by in_shardings", takes_parts, SHARDINGS),
    C(2, "the body's returns are the results' parts by out_shardings", gives_parts, SHARDINGS),
)

NAMED_COMPUTATION = (C(1, "the body takes the operands and returns the results", takes_and_gives, SHOWN),)

# These say where the parts of a tensor lie, and change no element of it.
RESHARDINGS = (
    "all_gather all_slice all_to_all collective_permute propagation_barrier reshard sharding_constraint"
).split()
SAME = (
    Input(1, "one operand and one result", lambda op: len(op.operands) == len(op.results) == 1, SHOWN),
    C(1, "type(result) = type(operand)", show=SHOWN),
)

MANUAL_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    MANUAL: MANUAL_COMPUTATION,
    "sdy.named_computation": NAMED_COMPUTATION,
    "sdy.sharding_group": (),
    **{f"sdy.{name}": SAME for name in RESHARDINGS},
}


# The constraint rows of tuple, get_tuple_element and after_all.


def is_token(value: Value) -> bool:
    return isinstance(value.type, TokenType)


def is_tuple_of_operands(op: Op) -> bool:
    """Return whether the result is a tuple of the operands' types."""
    type = op.result.type
    return isinstance(type, TupleType) and type.types == tuple(value.type for value in op.operands)


TUPLE = (C(1, "result has type tuple<E0, ..., EN-1> where Ei = type(val[i])", is_tuple_of_operands, SHOWN),)

GET_TUPLE_ELEMENT = (
    Input(1, "operand: tuple", lambda op: isinstance(op.operand.type, TupleType), "type(operand)"),
    scalar(2, "index", "si32"),
    C(1, "0 <= index < size(operand)", show="index, type(operand)"),
    C(2, "type(result) = tuple_element_types(operand)[index]", show=f"index, {SHOWN}"),
)

AFTER_ALL = (
    Input(
        1,
        "inputs: variadic number of token; result: token",
        lambda op: all(map(is_token, (*op.operands, op.result))),
        SHOWN,
    ),
)

TUPLE_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.tuple": TUPLE,
    "stablehlo.get_tuple_element": GET_TUPLE_ELEMENT,
    "stablehlo.after_all": AFTER_ALL,
    "stablehlo.create_token": AFTER_ALL,
}
