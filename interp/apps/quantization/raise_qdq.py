"""`raise_qdq`: a program that simulates quantization becomes one of quantized operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import floor
from typing import Any

from interp.apps.quantization.arithmetic_qdq import (
    STORED,
    Spelled,
    half_place,
    largest_integer,
    raise_arithmetic,
)
from interp.apps.quantization.block_weights import Blocks, dequantize_blocks
from interp.apps.quantization.constants import constants_of, with_own_constants
from interp.apps.quantization.decisions import Choice
from interp.apps.quantization.integer_forms import integer_forms
from interp.apps.quantization.kernels import CONTROL, REGION, Names, in_blocks, program_name
from interp.apps.quantization.materialize import Materialized, materialization
from interp.apps.quantization.partition import QUANTIZE, partition, with_pairs
from interp.apps.quantization.patterns import Left, computes_floats
from interp.apps.quantization.patterns import lines as left_lines
from interp.apps.quantization.region_kinds import ISLAND
from interp.apps.quantization.scaled_contractions import NAME, Composite, outline_scaled
from interp.apps.quantization.spellings import spell_out
from interp.apps.quantization.sums import CONTRACTION, POOL, Sum, Tally, headline, is_sum, sums_of, tally
from interp.apps.quantization.sums import lines as sum_lines
from interp.engine.arguments import function_named
from interp.engine.facts import facts
from interp.engine.markup import Display
from interp.execute.refusals import refuse_dynamic
from interp.loading.writer import drop_unused
from interp.recorder.layers import layer_of
from interp.recorder.names import with_layer
from interp.rewrite.float_reference import with_reference
from spec.errors import Unsupported
from spec.ir import Module, Op, Region, nested_ops
from spec.multipliers import has_multipliers
from spec.types import QuantizedType, is_tensor

NAMES = 4  # values that a name lists
PAIR = "uniform_dequantize", "uniform_quantize"
Step = Callable[[Region], tuple[Region, list[Spelled]]]
ALONE = "neither its operands nor its result are quantized"


@dataclass(frozen=True)
class Rewrite:
    """One kernel that was made: its value, the operations that it merges, and how far its result may differ.

    steps: the most steps of the result's type by which it may differ from the float computation between the
    same quantized inputs, of which none is NaN; None where no bound is known. layer: the name of the value's
    layer, or "".
    """

    value: str
    kernel: str
    merged: tuple[str, ...]
    steps: int | None
    layer: str = ""

    def __str__(self) -> str:
        most = f"differs by at most {self.steps} step{'s' * (self.steps != 1)}"
        differs = "its difference has no bound" if self.steps is None else most
        return (
            f"{with_layer(self.value, self.layer)} {self.kernel}: merges {', '.join(self.merged)}; {differs}"
        )


@dataclass(frozen=True, repr=False)
class Raised(Display):
    """A program of quantized operations, what was rewritten, what is left in float, and all decisions.

    sums: the contractions and pools, in integers or in float, with the reason. regions: the stage before,
    whose `quant.region` operations simulate the same in float.
    """

    module: Module
    rewrites: tuple[Rewrite, ...]
    left: tuple[Left, ...]
    choices: tuple[Choice, ...]
    regions: Module
    sums: tuple[Sum, ...] = ()

    @property
    def contractions(self) -> Tally:
        """Return the numbers of contractions: in integers, those that the program quantizes, and all."""
        return tally(self.sums, CONTRACTION)

    @property
    def pools(self) -> Tally:
        """Return the numbers of pools: in integers, those that the program quantizes, and all."""
        return tally(self.sums, POOL)

    def table(self, proof: Any = None) -> str:
        """Return a line for each sum, with the bits that it needs if the `prove` of the module is given."""
        return "\n".join(sum_lines(self.sums, proof))

    def __repr__(self) -> str:
        lines = [f"{len(self.rewrites)} kernels, {len(self.left)} operations left in float"]
        lines += filter(None, [headline(self.sums)])
        lines += [f"  {rewrite}" for rewrite in self.rewrites]
        lines += ["left in float:", *(f"  {line}" for line in left_lines(self.left))] if self.left else []
        open_ = [choice for choice in self.choices if not choice.holds and choice.kind != "float"]
        return "\n".join(lines + (["not proven:", *(f"  {choice}" for choice in open_)] if open_ else []))


def raise_qdq(program: Module, function: str = "main", flow: str = "stablehlo") -> Raised:
    """Return the program with quantized operations in place of float ones between simulated quantizations.

    Raises `Unsupported` if sizes are unknown: `refine` the program first, or load it with sizes; and if the
    program gives multipliers itself, as a quantized LiteRT model does.
    Quantization is recognized as `uniform_quantize` and `uniform_dequantize`, `quant.qcast` and `dcast`,
    litert-torch's custom calls, composites of Qwix and `interp.jax`, and arithmetic that divides, rounds,
    clamps and scales back. Arguments and results keep their types. flow: as for `materialize`.
    """
    refuse_dynamic(program)
    if given := [op for op in program.ops() if has_multipliers(op)]:
        verdict = (
            f"the program gives the multipliers of {len(given)} requantizations: it is quantized already"
        )
        raise Unsupported(
            verdict, "nothing to raise: run, prove, survey or write it as it is", given[0].location
        )
    flat = spell_out(program, function_named(program, function))
    main = flat.main
    names, blocks = Names.of(flat), list[Blocks]()
    weighed = in_blocks(with_own_constants(main.body, names), lambda block: _weigh(block, names, blocks))
    once, merged = _in_blocks(weighed, round_once)
    simulated, spelled = _in_blocks(replace(once, ops=drop_unused(once.ops)), raise_arithmetic)
    simulated = replace(simulated, ops=drop_unused(simulated.ops))
    body, alone = partition(in_blocks(simulated, with_pairs))
    regions = Module({**flat.functions, "main": replace(main, body=replace(body, ops=drop_unused(body.ops)))})
    made = materialization(regions, flow=flow)
    outlined, _ = outline_scaled(made.module)
    pairs = replace(flat, functions={**flat.functions, "main": replace(main, body=simulated)})
    _, composites = outline_scaled(pairs)  # by the names of the program
    raised = with_reference(outlined, pairs, _origin(simulated))
    raised = replace(raised, origin=raised.origin.replace(STORED, "%"))  # the program has but the results
    raised = replace(raised, defaults=program.defaults)
    kernels = [op for op in nested_ops(regions.main.body) if op.name == REGION]
    rewrites = [_rewrite_weights(value, *each) for one in blocks for value, each in one.weights.items()]
    rewrites += [Rewrite(x.value, "uniform_quantize", x.merged, x.steps) for x in (*merged, *spelled)]
    rewrites += [rewrite for op in kernels if (rewrite := _rewrite(op, made)).merged]
    rewrites += [
        Rewrite(c.value, "uniform_quantize", PAIR, c.steps)
        for c in made.choices
        if c.kind == "rescale" and c.operation == "uniform_quantize"
    ]
    floats, forms = filter(computes_floats, alone), dict(integer_forms(simulated))
    for v, (operand, why) in ((v, each) for one in blocks for v, each in one.unfit.items()):
        forms[v] = f"{operand.name} has no type with blocks: {why}"
    left = [Left(op.results[0].name, op.name.partition(".")[2], _why(op, forms)) for op in floats]
    left += [Left(program_name(c.value), c.operation, c.text) for c in made.choices if c.kind == "float"]
    nodes = {v.name: op.location.name for op in nested_ops(simulated) for v in op.results}
    inside = {name for each in composites for name in (each.value, *each.inside)}
    left = [replace(each, node=nodes.get(each.value, "")) for each in left if each.value not in inside]
    rewrites += [_rewrite_scaled(each) for each in composites]
    sums = sums_of(simulated, made.forms, {each.value: each.reason for each in left})
    layers = {v.name: layer_of(pairs, op) for op in nested_ops(simulated) for v in op.results}
    layers |= {program_name(op.results[0].name): name for op in kernels if (name := _layer(op, layers))}
    return Raised(
        raised,
        tuple(replace(each, layer=layers.get(each.value, "")) for each in rewrites),
        tuple(replace(each, layer=layers.get(each.value, "")) for each in left),
        made.choices,
        regions,
        tuple(replace(each, layer=layers.get(each.source, "")) for each in sums),
    )


def _in_blocks(region: Region, step: Step) -> tuple[Region, list[Spelled]]:
    """Return a block after a step in it and in the blocks of its control flow, with what they changed."""
    found = list[Spelled]()

    def change(block: Region) -> Region:
        block, more = step(block)
        found.extend(more)
        return block

    return in_blocks(region, change), found


def _weigh(block: Region, names: Names, found: list[Blocks]) -> Region:
    """Return a block whose weights with scales per block are constants of such types."""
    block, blocks = dequantize_blocks(block, names)
    found.append(blocks)
    return block


def _rewrite_weights(value: str, constant: Op, merged: tuple[str, ...]) -> Rewrite:
    sizes = constant.result.type.quantized_element_type.block_sizes or ()
    return Rewrite(value, f"blocks of {' x '.join(str(size) for _, size in sizes)}", merged, 0)


def _rewrite_scaled(found: Composite) -> Rewrite:
    """Return the composite that a contraction became: it is computed as in the program."""
    return Rewrite(found.value, f"{NAME}, {found.blocks}", found.merged, 0)


def _rewrite(op: Op, made: Materialized) -> Rewrite:
    """Return what a region became; it merges no operation that is computed in float."""
    outside = {*constants_of(op.regions[0]), *(c.value for c in made.choices if c.kind == "float")}
    inside = [inner for inner in op.regions[0].ops[:-1] if inner.results[0].name not in outside]
    is_island = op["logical_kernel"].startswith(ISLAND)
    names = [] if is_island else [inner.name.partition(".")[2] for inner in inside]
    results = {v.name for v in op.results}
    found = [choice.steps for choice in made.choices if choice.value in results and choice.kind == "rescale"]
    steps = None if None in found else max((n for n in found if n is not None), default=0)
    kernel = op["logical_kernel"]
    if not names and steps != 0:  # what stays in float comes after a rescaling
        return Rewrite(program_name(op.results[0].name), "uniform_quantize", PAIR, steps)
    if names and kernel.partition(".")[2] not in names:  # what it is named after stays in float
        kernel = f"generic.{names[0]}"
    return Rewrite(program_name(op.results[0].name), kernel, tuple(names), steps)


def _layer(region: Op, layers: Mapping[str, str]) -> str:
    """Return the layer of the first sum in a region, or "" if it has none."""
    sums = (op.results[0].name for op in region.regions[0].ops if is_sum(op))
    return next((layers[name] for name in sums if layers.get(name)), "")


def _origin(simulated: Region) -> str:
    """Return the name of the program without pairs; what still rounds may be a quantization."""
    name = "the QDQ program without its quantizations"
    still = [op for op in nested_ops(simulated) if _rounds(op)]
    if not still:
        return name
    shown = [f"{op.name.partition('.')[2]} {op.results[0].name}" for op in still[:NAMES]]
    more = f" and {len(still) - NAMES} more" if still[NAMES:] else ""
    return f"{name}, except those that still round: {', '.join(shown)}{more}"


def _rounds(op: Op) -> bool:
    """Return whether an operation makes whole numbers of floats that are not quantized."""
    values = [*op.operands[:1], *op.results]
    if len(values) != 2 or not all(is_tensor(v.type) and not v.type.is_quantized for v in values):
        return False
    source, result = (v.type.tensor_element_type for v in values)
    whole = facts(op).error == "rounded to integer"
    whole |= facts(op).error == "converted" and result.is_integer
    return whole and source.kind == "float"


def _why(op: Op, forms: Mapping[str, str]) -> str:
    """Return why an operation outside of all regions is a float one; control flow is an island as a whole."""
    if op.name not in CONTROL:
        return forms.get(op.results[0].name, ALONE)
    inner = [each for region in op.regions for each in nested_ops(region)]
    count = sum(map(computes_floats, inner))
    return f"an island of {count} operation{'s' * (count != 1)}, computed in float as in the program"


# Quantizations that add the zero point after rounding, as ONNX does, merged into one operation each


def round_once(region: Region) -> tuple[Region, list[Spelled]]:
    """Return the block with one quantization in place of two, and the results with the steps they may differ.

    Two steps round to integers of 32 bits first, and then to the type with a zero point. One step adds the
    zero point before it rounds: a tie falls to the other side where the zero point is odd.
    """
    made = {op.results[0].name: op for op in region.ops if op.name == QUANTIZE}
    ops, merged = list[Op](), list[Spelled]()
    for op in region.ops:
        first = made.get(op.operand.name) if op.name == QUANTIZE else None
        if first and _is_unmoved(first, op):
            ops.append(replace(op, operands=first.operands))
            steps = _steps(op.result.type.quantized_element_type)
            merged.append(Spelled(op.result.name, (first.name[10:], op.name[10:]), steps))
        else:
            ops.append(op)
    return replace(region, ops=tuple(ops)), merged


def _steps(type: QuantizedType) -> int | None:
    """Return the most steps by which two quantizations to a type differ from one, for any number.

    Between two, the integer is rounded, multiplied by the scale and divided by it: three roundings. Then
    either way rounds the sum with the zero point, and a number to an integer, which is off by a half. None
    where a product may overflow.
    """
    low, high = float(type.storage_min), float(type.storage_max)
    largest = largest_integer(low, high, type.zero_points) + 1
    if largest * max(1.0, *type.scales) >= 2.0**type.expressed_type.bias:
        return None
    between = 3.5 * 2.0**-type.expressed_type.precision * largest
    return floor(1 + between + 2 * half_place(largest, type.expressed_type))


def _is_unmoved(first: Op, second: Op) -> bool:
    """Return whether the first quantization rounds a float to 32 bits in the scale of the second."""
    wide, type = first.result.type.quantized_element_type, second.result.type.quantized_element_type
    zeros = (0,) * len(type.scales)
    unmoved = QuantizedType(
        wide.storage_type,
        wide.storage_type.min_value,
        wide.storage_type.max_value,
        type.expressed_type,
        type.scales,
        zeros,
        type.quantization_dimension,
        type.block_sizes,
        type.parameters_shape,
        wide.spelling,
    )
    return not first.operand.type.is_quantized and wide.storage_type.name == "i32" and wide == unmoved
