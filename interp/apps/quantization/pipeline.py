"""The stages from a float program to a quantized one, each a program that prints, runs and compares."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any

from interp.apps.quantization.calibrate import run_calibration
from interp.apps.quantization.constants import without_unused
from interp.apps.quantization.constraints import Constraints, constrain
from interp.apps.quantization.decisions import Choice, Choices, Decision, Mask, Open, Rescale, name_layers
from interp.apps.quantization.instrument import instrument, references
from interp.apps.quantization.kernels import (
    CONTROL,
    REGION,
    RETURN,
    Names,
    is_float,
    rebuild,
    region,
    rename,
    specs_of,
    users,
)
from interp.apps.quantization.masks import explain_masks, masks_left, masks_of
from interp.apps.quantization.materialize import materialization
from interp.apps.quantization.patterns import Left, Match, block_of, left_in_float, matches
from interp.apps.quantization.prepare import prepare
from interp.apps.quantization.propagate import propagation
from interp.apps.quantization.targets import Target, target_named
from interp.execute.calling import calling_of
from interp.execute.refine import refine, refuse_other_values
from interp.loading.load import as_module
from interp.loading.models import is_function, is_pair
from interp.loading.models import program as lowered
from interp.rewrite.float_reference import with_reference
from spec.errors import Malformed, one_of, short_text
from spec.ir import Module, Op, Region, Value
from spec.types import QuantizedType, TensorType

STAGES = ("prepare", "instrument", "calibrate", "fuse", "constrain", "propagate", "materialize")
QUANTIZED = ("propagate", "materialize")  # whose programs round what the given one does not
MASKS = ("float", "quantize")  # what becomes of values with a mask
Progress = Callable[[str, int, int], None]


@dataclass
class Stages:
    """Results of a pipeline: programs and seconds by stage, decisions, and the ports that stayed open.

    choices: what preparation merged, and what materialization chose, accumulators among them. masks: of the
    values that stay in float for a mask.
    """

    target: Target
    programs: dict[str, Module] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    rescales: tuple[Rescale, ...] = ()
    open: tuple[Open, ...] = ()
    choices: tuple[Choice, ...] = ()
    masks: tuple[Mask, ...] = ()

    @property
    def module(self) -> Module:
        """The program after the last stage."""
        return list(self.programs.values())[-1]

    @property
    def left(self) -> tuple[Left, ...]:
        """The float operations outside of kernels, once there are kernels."""
        fused = [self.programs[name] for name in ("propagate", "constrain", "fuse") if name in self.programs]
        return left_in_float(fused[0], self.target) if fused else ()


@dataclass(frozen=True)
class Options:
    """Options of the stages, besides program and samples: see `interp.quantize`."""

    target: Target
    constraints: Constraints | None = None
    method: Any = "minmax"
    flow: str = "stablehlo"
    progress: Progress | None = None
    masks: str = MASKS[0]


def run_stages(module: Module, samples: Iterable[Sequence[Any]], options: Options, until: str) -> Stages:
    """Run the stages up to the one named `until`."""
    last = STAGES.index(one_of(STAGES, until, "stage"))
    one_of(MASKS, options.masks, "way with masks")
    found = Stages(options.target)
    for name in STAGES[: last + 1]:
        start = time.perf_counter()
        program = _stage(name, found, module, samples, options)
        if name in QUANTIZED:
            program = with_reference(program, module, "the float program of quantize")
        found.programs[name] = program
        found.seconds[name] = time.perf_counter() - start
    return found


def _stage(
    name: str, found: Stages, module: Module, samples: Iterable[Sequence[Any]], options: Options
) -> Module:
    """Return what a stage makes of the program of the stage before it, and keep what else it says."""
    target = options.target
    given = found.module if found.programs else module
    if name == "prepare":
        choices = Choices()
        module = prepare(given, target, choices)
        found.choices = name_layers(given, choices.made)
        return module
    if name == "instrument":
        instrumented = instrument(given)
        if not references(instrumented):
            raise Malformed("nothing to quantize", "no float of the program depends on an argument")
        return instrumented
    if name == "calibrate":
        return _calibrate(found, given, samples, options)
    if name == "fuse":
        return fuse(given, target)
    if name == "constrain":
        constrained = constrain(given, options.constraints, {each.value for each in found.masks})
        found.masks = tuple(masks_left(constrained, found.masks))
        return constrained
    if name == "propagate":
        propagated = propagation(given, target)
        found.decisions = name_layers(given, propagated.decisions)
        found.rescales = name_layers(given, propagated.rescales)
        found.open = explain_masks(name_layers(given, propagated.open), found.masks)
        return propagated.module
    made = materialization(given, target, options.flow)
    found.choices += name_layers(given, made.choices)
    return made.module


def _calibrate(found: Stages, given: Module, samples: Iterable[Sequence[Any]], options: Options) -> Module:
    """Return the program with its ranges, and keep the masks that stay in float."""
    calibration = run_calibration(given, samples, options.method, None, options.progress, None, None)
    calibration.refuse_useless()
    if options.masks == MASKS[0]:
        masks = masks_of(calibration.module, calibration.statistics, options.target)
        found.masks = name_layers(given, masks)
    return calibration.with_statistics()


def program_and_samples(
    program: Any, samples: Iterable[Any]
) -> tuple[Module, Iterable[Sequence[Any]], list[Any]]:
    """Return a program as a module, the samples as its arguments, and the first one.

    A JAX function without arguments is lowered on those of the first sample; samples may be the trees that
    it takes.
    """
    if not isinstance(samples, Iterable):
        verdict = f"expected samples, got {short_text(samples)}"
        raise Malformed(verdict, "give an iterable of tuples of arguments")
    found = iter(samples)
    first = list(itertools.islice(found, 1))
    if is_pair(program):
        program = lowered(program[0], *program[1])
    elif is_function(program):
        program = lowered(program, *_arguments(first))
    module, calling = as_module(program), calling_of(program)
    every: Iterator[Any] = itertools.chain(first, found)
    flat = map(calling.sample, every) if calling else every
    head = list(itertools.islice(flat, 1))
    if module.is_dynamic and head:
        flat = _with_these_sizes(module, refine(module, *head[0]), flat)
        module = refine(module, *head[0])
    whole = itertools.chain(head, flat)
    return module, Counted(whole, len(samples)) if isinstance(samples, Sized) else whole, head


def _with_these_sizes(module: Module, refined: Module, samples: Iterable[Any]) -> Iterator[Any]:
    """Yield samples for which the program is the same as for the first one."""
    for sample in samples:
        refuse_other_values(module, refined, sample)
        yield sample


def _arguments(first: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments in the first sample; `Malformed` if there is none."""
    if not first or not isinstance(first[0], tuple | list):
        advice = "give samples: at least one tuple of them"
        raise Malformed("a function needs arguments to be a program", advice)
    return first[0]


class Counted:
    """Samples that are read once, of a number that is known."""

    def __init__(self, samples: Iterable[Any], count: int) -> None:
        self.samples, self.count = samples, count

    def __iter__(self) -> Iterator[Any]:
        return iter(self.samples)

    def __len__(self) -> int:
        return self.count


def options_of(target: str | Target, **given: Any) -> Options:
    """Return the options of a pipeline for a target, given itself or by name."""
    return Options(target_named(target), **given)


# `fuse` wraps operations that a target has kernels for in `quant.region`; `unfuse` undoes this.
#
# The operands of a region are the values that its kernel reads; constants that only bound, begin or divide
# stand in its body. A region gives its result under the name that it had.


def fuse(module: Module, target: Target) -> Module:
    """Return the program with every operation that the target has a kernel for in a region.

    A kernel of several operations is preferred to one of fewer: `generic.dot_general_add_clamp` is a
    contraction, a bias, a clamp. Statistics between them stay in the region, where nothing reads them.
    """
    prepared = prepare(module, target)
    fuser = _Fuser(target, Names.of(prepared))
    functions = {
        name: replace(function, body=fuser.block(function.body, {}))
        for name, function in prepared.functions.items()
    }
    return without_unused(replace(prepared, functions=functions))


@dataclass
class _Fuser:
    target: Target
    names: Names

    def block(self, body: Region, outer: Mapping[str, Op]) -> Region:
        """Return a block whose operations, those in control flow included, are fused."""
        block = block_of(body, users(body), outer)
        taken: dict[int, Match] = {}
        wrapped: dict[int, Match] = {}
        for op in body.ops:
            if id(op) in taken:
                continue
            for match in matches(op, block, self.target):
                if not any(id(each) in taken for each in match.ops):
                    taken |= {id(each): match for each in match.ops}
                    wrapped[id(match.last)] = match
                    break
        ops: list[Op] = []
        for op in body.ops:
            if id(op) in wrapped:
                ops.append(self.wrap(wrapped[id(op)]))
            elif id(op) not in taken:
                inner = tuple(self.block(r, block.definitions) for r in op.regions)
                ops.append(replace(op, regions=inner) if op.name in CONTROL else op)
        return replace(body, ops=tuple(ops))

    def wrap(self, match: Match) -> Op:
        """Return a region of the operations of a match; each operand from outside is an input of its own."""
        result, absorbed = match.last.result, _once(match.absorbed)
        own = {v.name for op in (*match.ops, *absorbed) for v in op.results}
        fresh = {name: self.names.fresh(f"{name}.float") for name in own}
        inputs: list[tuple[Value, Value]] = []

        def inside(value: Value) -> Value:
            if value.name in own:
                return replace(value, name=fresh[value.name])
            argument = replace(value, name=self.names.fresh(f"{result.name}.{len(inputs)}"))
            inputs.append((value, argument))
            return argument

        def copy(op: Op) -> Op:
            return replace(
                op, operands=tuple(map(inside, op.operands)), results=tuple(map(inside, op.results))
            )

        ops, first = [copy(op) for op in match.ops], [copy(op) for op in absorbed]
        end = Op(RETURN, (inside(result),), ())
        body = Region(tuple(x for _, x in inputs), (*first, *ops, end))
        return region(match.name, [v for v, _ in inputs], (result,), body, match.last.location)


def _once(ops: Sequence[Op]) -> list[Op]:
    return list({id(op): op for op in ops}.values())


def unfuse(module: Module) -> Module:
    """Return the program with the operations of each region in its place.

    A port with a uniform type becomes `uniform_quantize` and `uniform_dequantize`: the simulation of the
    quantized program in floats, which JAX and every other implementation of StableHLO run.
    """
    names = Names.of(module)
    return rebuild(module, lambda op: _restore(op, names) if op.name == REGION else (op,))


def _restore(op: Op, names: Names) -> list[Op]:
    body, specs = op.regions[0], specs_of(op)
    ops: list[Op] = []
    known: dict[str, Value] = {}
    for argument, operand, spec in zip(body.arguments, op.operands, specs, strict=False):
        known[argument.name] = _cast(ops, names, operand, operand.name, spec)
    returned = body.returns
    outputs = dict(zip([v.name for v in returned], op.results, strict=True))
    after: list[Op] = []
    for result, spec in zip(op.results, specs[len(op.operands) :], strict=True):
        if isinstance(spec, QuantizedType):
            name = next(name for name, value in outputs.items() if value is result)
            outputs[name] = replace(result, name=names.fresh(f"{result.name}.float"))
            _cast(after, names, outputs[name], result.name, spec, result)
    for each in body.ops[:-1]:
        results = tuple(outputs.get(v.name, v) for v in each.results)
        ops.append(replace(rename(each, known), results=results))
        known |= {v.name: x for v, x in zip(each.results, results, strict=True)}
    return ops + after


def _cast(
    ops: list[Op], names: Names, value: Value, name: str, spec: object, result: Value | None = None
) -> Value:
    """Append the casts of a port to `ops`, and return the value after them."""
    if not isinstance(spec, QuantizedType) or not is_float(value):
        return value
    stored = Value(names.fresh(f"{name}.q"), TensorType(value.type.shape, spec))
    back = result or replace(value, name=names.fresh(f"{name}.dq"))
    ops.append(Op("stablehlo.uniform_quantize", (value,), (stored,)))
    ops.append(Op("stablehlo.uniform_dequantize", (stored,), (back,)))
    return back
