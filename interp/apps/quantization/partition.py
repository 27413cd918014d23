"""Partition of a block into regions, one logical kernel between two quantizations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from interp.apps.quantization.constants import CONSTANTS
from interp.apps.quantization.kernels import AGAIN, BETWEEN, CONTROL, OUT, RETURN, region_op, rename
from interp.apps.quantization.region_kinds import Ports, kind_of
from interp.apps.quantization.symbols import has_blocks, is_kept
from interp.engine.facts import facts
from interp.engine.quant import Type
from interp.loading.source import RESERVED
from spec.ir import Op, Region, Value, captures, nested_ops, reads
from spec.types import ElementType, QuantizedType, is_tensor

QUANTIZE, DEQUANTIZE = "stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"
FAMILIES = {"elementwise", "structure", "indexing", "reduction", "contraction", "scatter"} | {
    "conversion",
    "normalization",
}  # of operations that a region may hold
Pairs = dict[str, tuple[Value, QuantizedType]]
OUTSIDE = -1  # the group of what stands in no region


@dataclass
class Group:
    """The operations of one region, in reverse order, and the number of the last."""

    last: int
    ops: list[Op] = field(default_factory=list)


@dataclass
class Block:
    """A block with its definitions, users, and pairs of quantization and dequantization.

    outer: the pairs of the blocks around it.
    """

    region: Region
    outer: Pairs = field(default_factory=dict)
    made: dict[str, Op] = field(default_factory=dict)
    users: dict[str, list[Op]] = field(default_factory=lambda: defaultdict(list))
    pairs: Pairs = field(default_factory=dict)  # by the dequantized value
    constants: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pairs |= self.outer
        for op in self.region.ops:
            self.made |= {v.name: op for v in op.results}
            for v in {v.name: v for v in reads(op)}.values():
                self.users[v.name].append(op)
            if op.name in CONSTANTS or (
                op.operands
                and not op.regions
                and op.name not in (QUANTIZE, DEQUANTIZE)
                and facts(op).family in ("elementwise", "structure", "conversion")
                and all(v.name in self.constants for v in op.operands)
            ):
                self.constants |= {v.name for v in op.results}
            first = self.made.get(op.operand.name) if op.name == DEQUANTIZE else None
            if first and first.name == QUANTIZE and not first.operand.type.is_quantized:
                self.pairs[op.result.name] = first.operand, op.operand.type.quantized_element_type
            elif op.name == DEQUANTIZE and ((first and first.name in CONSTANTS) or _is_kept(op.operand)):
                self.pairs[op.result.name] = (
                    op.result,
                    _stored_type(op),
                )  # what it dequantizes to has the type

    def inner_pairs(self) -> Pairs:
        """Return what blocks inside see: dequantized values, which quantize to what was stored."""
        made = {v.name: v for op in self.region.ops if op.name == DEQUANTIZE for v in op.results}
        own = {
            name: (made[name], type)
            for name, (_, type) in self.pairs.items()
            if name in made and is_kept(type)
        }
        return {**self.outer, **own}

    def stands(self, op: Op) -> bool:
        """Return whether an operation may stand in a region: on float tensors, without captured values.

        Its results are floats, or booleans that elementwise operations compute.
        """
        values = (*op.operands, *op.results)
        if op.name in (QUANTIZE, DEQUANTIZE, *CONSTANTS) or not op.results or captures(op):
            return False
        if any(v.name in self.constants for v in op.results) or facts(op).family not in FAMILIES:
            return False
        return all(is_tensor(v.type) and not v.type.is_quantized for v in values) and (
            all(_is_float(v) for v in op.results) or _is_predicate(op)
        )


def _is_float(value: Value) -> bool:
    element = value.type.element_type
    return isinstance(element, ElementType) and element.kind == "float"


def _is_predicate(op: Op) -> bool:
    """Return whether an operation computes booleans, each of one element."""
    return facts(op).family == "elementwise" and repr(op.results[0].type.element_type) == "i1"


def _stored_type(op: Op) -> QuantizedType:
    return op.operand.type.quantized_element_type


def _is_kept(stored: Value) -> bool:
    return not has_blocks(stored.type) and is_kept(stored.type.quantized_element_type)


def with_pairs(region: Region) -> Region:
    """Return a block in which whatever a quantization gives is dequantized, and quantized again for others.

    That changes no bit of types whose numbers are kept. Then a region's result may be stored, too.
    """
    users: dict[str, list[Op]] = defaultdict(list)
    for op in region.ops:
        for v in (*op.operands, *captures(op)):
            users[v.name].append(op)
    ops, names = list[Op](), dict[str, Value]()
    for op in region.ops:
        op = rename(op, names) if op.name != DEQUANTIZE else op
        ops.append(op)
        if op.name == QUANTIZE and not op.operand.type.is_quantized and _is_used_stored(op, users):
            plain = op.operand.type
            between = Value(_stem(op.result, BETWEEN), plain)
            again = Value(_stem(op.result, AGAIN), op.result.type)
            ops.append(Op(DEQUANTIZE, op.results, (between,), location=op.location))
            ops.append(Op(QUANTIZE, (between,), (again,), location=op.location))
            names[op.result.name] = again
    return replace(region, ops=tuple(ops))


def _is_used_stored(op: Op, users: Mapping[str, list[Op]]) -> bool:
    """Return whether something else than dequantization uses what a quantization gives."""
    others = [user for user in users[op.result.name] if user.name != DEQUANTIZE]
    captured = any(op.result.name in {v.name for v in captures(user)} for user in others)
    return bool(others) and not captured and _is_kept(op.result)


def _stem(value: Value, label: str) -> str:
    return f"%{value.name.removeprefix('%').replace('#', '.')}{RESERVED}{label}"


def partition(region: Region, outer: Pairs | None = None) -> tuple[Region, list[Op]]:
    """Return a block whose float operations next to quantized values stand in regions, and the others.

    Control flow whose blocks quantize is partitioned, too. outer: pairs of the blocks around.
    """
    block = Block(region, outer or {})
    groups = _groups(block)
    numbers = {v.name: k for k, group in groups.items() for op in group.ops for v in op.results}
    ops, alone, names = list[Op](), list[Op](), dict[str, Value]()
    for k, op in enumerate(region.ops):
        if k in groups and (made := _region(block, groups[k], names)):
            ops.append(made)
        elif k in groups:
            ops += [rename(each, names) for each in reversed(groups[k].ops)]
            alone += reversed(groups[k].ops)
        elif op.name in CONTROL and quantizes(op):
            parts = [partition(each, block.inner_pairs()) for each in op.regions]
            ops.append(rename(replace(op, regions=tuple(each for each, _ in parts)), names))
            alone += (each for _, left in parts for each in left)
        elif not (op.results and op.results[0].name in numbers) and not _is_merged(op, names):
            ops.append(rename(op, names))
            if op.name not in (QUANTIZE, DEQUANTIZE, *CONSTANTS) and op.results:
                alone += [] if op.results[0].name in block.constants else [op]
    return replace(region, ops=tuple(ops)), alone


def quantizes(op: Op) -> bool:
    """Return whether the blocks of an operation quantize a value."""
    return any(inner.name == QUANTIZE for region in op.regions for inner in nested_ops(region))


def _groups(block: Block) -> dict[int, Group]:
    """Return the groups by the place of their last operation: all others are used in their group alone."""
    of: dict[str, int] = {}
    groups: dict[int, Group] = {}
    for k in range(len(block.region.ops) - 1, -1, -1):
        op = block.region.ops[k]
        if not block.stands(op):
            continue
        using = {
            of.get(user.results[0].name, OUTSIDE) if user.results else OUTSIDE
            for v in op.results
            for user in block.users[v.name]
        }
        alone = len(using) != 1 or OUTSIDE in using
        if alone and not _is_float(op.results[0]):
            continue
        (place,) = (k,) if alone else using
        groups.setdefault(place, Group(place)).ops.append(op)
        of |= {v.name: place for v in op.results}
    return groups


def _region(block: Block, group: Group, names: dict[str, Value]) -> Op | None:
    """Return the region of a group, or None if no port of it would be quantized."""
    inputs, input_types = _inputs(block, group, names)
    outputs, output_types, given = _outputs(block, group)
    if not any(isinstance(type, QuantizedType) for type in (*input_types, *output_types)):
        return None
    arguments = tuple(Value(f"%port{group.last}{RESERVED}{k}", v.type) for k, v in enumerate(inputs.values()))
    inside = dict(zip(inputs, arguments, strict=True))
    constants = _constants(block, group)
    own = {v.name: _own(v, group) for op in constants for v in op.results}  # each region has copies
    ops = [replace(op, results=tuple(own[v.name] for v in op.results)) for op in constants]
    body = [rename(op, {**inside, **own}) for op in (*ops, *reversed(group.ops))]
    end = Op(RETURN, tuple(outputs), ())
    operands = [names.get(v.name, v) for v in inputs.values()]
    kernel = Region(arguments, (*body, end))
    results = list(given.values())
    names |= given
    specs = input_types, output_types
    kind = kind_of(Ports(kernel, input_types, output_types))
    name = f"{kind.form}.{kind.name or _kernel(group)}" if kind else f"generic.{_kernel(group)}"
    return region_op(operands, results, kernel, specs, name, group.ops[0].location)


def _inputs(block: Block, group: Group, names: Mapping[str, Value]) -> tuple[dict[str, Value], list[Type]]:
    """Return the values that a group reads, by the names that its operations use, and their types."""
    own = {v.name for op in group.ops for v in op.results}
    inputs: dict[str, Value] = {}
    types: list[Type] = []
    for op in reversed(group.ops):
        for v in op.operands:
            if v.name in own or v.name in inputs or v.name in block.constants:
                continue
            pair = block.pairs.get(v.name)
            source = v if pair is None or v.name in names else pair[0]
            inputs[v.name] = source
            types.append(v.type.element_type if pair is None else pair[1])
    return inputs, types


def _outputs(block: Block, group: Group) -> tuple[list[Value], list[Type], dict[str, Value]]:
    """Return the values that a group returns, their types, and the results by the values they replace."""
    returned, types, given = list[Value](), list[Type](), dict[str, Value]()
    for result in group.ops[0].results:
        others = False
        for user in block.users[result.name]:
            dequantized = _round_trips(block, user)
            others |= not dequantized
            for value in dequantized:
                returned.append(result)
                types.append(block.pairs[value.name][1])
                given[value.name] = value
        if others:
            returned.append(result)
            types.append(result.type.element_type)
            given[result.name] = _outside(result)
    return returned, types, given


def _round_trips(block: Block, op: Op) -> list[Value]:
    """Return the values that are a quantization dequantized again; none if it has other users, too."""
    if op.name != QUANTIZE:
        return []
    users = block.users[op.result.name]
    pairs = [user.result for user in users if user.name == DEQUANTIZE and user.result.name in block.pairs]
    return pairs if len(pairs) == len(users) else []


def _outside(value: Value) -> Value:
    """Return the name that a float result of a region has outside of it."""
    stem = value.name.removeprefix("%").replace("#", ".")
    return Value(f"%{'v' if stem[:1].isdigit() else ''}{stem}{RESERVED}{OUT}", value.type)


def _own(value: Value, group: Group) -> Value:
    return Value(f"%own{group.last}{RESERVED}{value.name[1:]}", value.type)


def _constants(block: Block, group: Group) -> list[Op]:
    """Return the operations on constants that a group needs, each with its own."""
    needed: dict[int, Op] = {}
    todo = [v.name for op in group.ops for v in op.operands if v.name in block.constants]
    while todo:
        op = block.made[todo.pop()]
        needed[id(op)] = op
        todo += [v.name for v in op.operands]
    return [op for op in block.region.ops if id(op) in needed]


def _kernel(group: Group) -> str:
    """Return the name of the operation that a region is about: a contraction, a reduction, else the first."""
    ops = list(reversed(group.ops))
    order = ("contraction", "reduction", "scatter")
    ops.sort(key=lambda op: order.index(facts(op).family) if facts(op).family in order else len(order))
    return ops[0].name.partition(".")[2]


def _is_merged(op: Op, names: Mapping[str, Value]) -> bool:
    """Return whether a dequantization gives what a region now returns."""
    return op.name == DEQUANTIZE and op.result.name in names
