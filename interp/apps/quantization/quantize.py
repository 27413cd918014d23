"""`quantize`: from a float program and samples to a quantized one, with the reason for every type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interp.apps.onnx.writing.write import save_as
from interp.apps.pages.shell import LONGEST, asset
from interp.apps.quantization.constraints import Constraints
from interp.apps.quantization.decisions import Choice, Decision, Mask, Open, Rescale, brief
from interp.apps.quantization.kernels import REGION
from interp.apps.quantization.patterns import Left
from interp.apps.quantization.pipeline import (
    MASKS,
    STAGES,
    Progress,
    Stages,
    options_of,
    program_and_samples,
    run_stages,
)
from interp.apps.quantization.targets import Target, target_named
from interp.engine.files import write_page
from interp.engine.markup import Display, Html, document, join_lines, table, tag, terms
from interp.loading.load import Program
from interp.recorder.names import with_layer
from spec.errors import Malformed
from spec.ir import Module, show

SHOWN = 8  # open ports in a repr


@dataclass(frozen=True)
class Coverage:
    """Coverage of ports by types; true if every port that can be quantized has one, so that `open` is empty.

    left: operations outside of kernels, which stay in float.
    """

    open: tuple[Open, ...]
    left: tuple[Left, ...] = ()

    def __bool__(self) -> bool:
        return not self.open

    def __repr__(self) -> str:
        said = "fully quantized"
        if self.open:
            said = "\n".join([f"not fully quantized: {len(self.open)} open", *_lines(self.open)])
        elif self.left:
            said = "every kernel is fully quantized"
        count = len(self.left)
        outside = f"{count} operation{'s' * (count != 1)} outside of kernels in float"
        return "\n".join([said, outside, *_lines(self.left)]) if self.left else said


def _lines(each: Sequence[object]) -> list[str]:
    """Return the first few as lines, and how many more there are."""
    more = [f"  and {len(each) - SHOWN} more"] if len(each) > SHOWN else []
    return [*(f"  {x!s}" for x in each[:SHOWN]), *more]


class Quantized(Display):
    """A quantized program, the programs of the stages before it, and why each value has its type."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    @property
    def module(self) -> Module:
        """The program of the last stage."""
        return self._stages.module

    @property
    def stages(self) -> Mapping[str, Module]:
        """The program of each stage by its name: each runs, prints, and compares with the one before."""
        return dict(self._stages.programs)

    @property
    def seconds(self) -> Mapping[str, float]:
        """The seconds that each stage took."""
        return dict(self._stages.seconds)

    @property
    def target(self) -> Target:
        """The kernels that it was quantized for."""
        return self._stages.target

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The type of each value and what it follows from, in the order in which they were decided."""
        return self._stages.decisions

    @property
    def rescales(self) -> tuple[Rescale, ...]:
        """The values that a kernel takes in another type than they have, and what would prevent it."""
        return self._stages.rescales

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Decisions of preparation and materialization: merges, forms, accumulators and their proofs."""
        return self._stages.choices

    @property
    def masks(self) -> tuple[Mask, ...]:
        """The values that stay in float because a mask would take the range of their type, and why."""
        return self._stages.masks

    @property
    def fully_quantized(self) -> Coverage:
        """True if all kernels have types at all ports; its `open` names the ports without one."""
        return Coverage(self._stages.open, self.left)

    @property
    def left(self) -> tuple[Left, ...]:
        """The operations that stay in float because no kernel takes them, and why."""
        return self._stages.left

    def decision(self, value: str) -> Decision:
        """Return the decision about a value by its name; `KeyError` if none was made."""
        return {each.value: each for each in self.decisions}[value]

    def save(self, path: str | Path, version: str | None = None) -> Path:
        """Write the program to a path.

        A `.mlirbc` file is a portable artifact of a StableHLO version, an `.onnx` file a model in QDQ form
        (see `interp.apps.onnx.writing.write`), a `.tflite` file a LiteRT model (see
        `interp.apps.litert.writing.write`), any other file text.
        """
        save_as(self.module, Path(path), version)
        return Path(path)

    def report(self, path: str | Path) -> Path:
        """Write decisions, conflicts and open ports as an HTML page without scripts; return its path."""
        return write_page(path, page(self._stages))

    def _repr_text_(self) -> str:
        return join_lines([*summary(self), repr(self.fully_quantized)])


def summary(found: Quantized) -> list[str]:
    """Return what was decided, in numbers, and the time that the stages took."""
    kernels = kernels_of(found)
    constraints = Counter(each.constraint.partition("(")[0] for each in found.decisions)
    said = ", ".join(f"{name} {count}" for name, count in constraints.items())
    took = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in found.seconds.items())
    lines = [f"{len(found.decisions)} values in {sum(kernels.values())} kernels of {found.target.name}"]
    lines += [f"  types from: {said}"] if said else []
    lines += [f"  {len(found.rescales)} conflicts, converted"] if found.rescales else []
    if found.masks:
        count = len(found.masks)
        said = f"{count} value{'s stay' if count > 1 else ' stays'} in float for a mask"
        lines.append(f"  {said}: {found.masks[0].reason}")
    return [*lines, f"  {took}"]


def kernels_of(found: Quantized) -> Counter[str]:
    """Return how often each kernel occurs."""
    program = found.stages.get("propagate") or found.stages.get("fuse")
    ops = program.ops() if program else ()
    return Counter(str(op["logical_kernel"]) for op in ops if op.name == REGION)


def quantize(
    program: Program,
    samples: Iterable[Any],
    target: str | Target = "int8",
    *,
    block: int | None = None,
    constraints: Constraints | None = None,
    method: Any = "minmax",
    flow: str = "stablehlo",
    masks: str = MASKS[0],
    until: str = STAGES[-1],
    progress: Progress | None = None,
) -> Quantized:
    """Return a float program as a quantized one for a target, with the reason for every type.

    program: what `load` takes, or a JAX function. samples: tuples of its arguments, as many as there are,
    which are read once. target: "int8", "int8_weights", "int16x8", "int4_weights", "int4_weight_only", or a
    `Target`. block: constant weights of products have a scale for each block of so many elements along the
    sums. constraints: what is demanded of values, `{"%4": NoQuant()}`: see `interp.quantization.constraints`.
    method: how ranges follow from samples: see `interp.quantization.methods`. flow: "stablehlo" for quantized
    types, "codegen" for plain integers. masks: "float" leaves a value in float where a constant that masks,
    such as -1e9 or an infinity, would take the range of its type; "quantize" looks for none. until: the last
    stage: prepare, instrument, calibrate, fuse, constrain, propagate or materialize.

    Raises `Malformed` for samples that do not fit or say nothing, for contradictory constraints, and for
    blocks that fit no weights; `Unsupported` for a constraint that no kernel of the target fits.
    """
    if block is not None:
        target = target_named(target).with_blocks(block)
    options = options_of(
        target, constraints=constraints, method=method, flow=flow, progress=progress, masks=masks
    )
    module, found, _ = program_and_samples(program, samples)
    made = Quantized(run_stages(module, found, options, until))
    if block is not None and made.decisions:
        _refuse_unused_blocks(made, block)
    return made


def _refuse_unused_blocks(found: Quantized, size: int) -> None:
    """Raise `Malformed` if no value has blocks, with the reasons of the first few."""
    if any(each.type.block_sizes is not None for each in found.decisions):
        return
    reasons = [f"{each.value}: {each.note}" for each in found.decisions if each.note]
    advice = "\n".join(reasons[:SHOWN]) or "blocks are for constant weights of dot_general"
    raise Malformed(f"block={size} fits no weights", advice)


# The page of a quantized program: its types and their reasons, conflicts, open ports, and the program


TITLE = "Quantized program"


def page(found: Stages) -> str:
    """Return the whole page."""
    content = tag("main", tag("h1", f"{TITLE}: {found.target.name}"), *_sections(found))
    return document(TITLE, asset("base.css"), content, "")


def _sections(found: Stages) -> Iterator[Html]:
    said = f"not fully quantized: {len(found.open)} open" if found.open else "fully quantized"
    yield tag("p", said, class_="lead")
    yield terms([(name, f"{seconds:.3f} s") for name, seconds in found.seconds.items()])
    if found.decisions:
        heads = ["value", "type", "constraint", "range", "follows from", "at", "where"]
        yield table("Types and their reasons", heads, [_decision(each) for each in found.decisions])
    if found.rescales:
        rows = [
            [
                with_layer(r.value, r.layer),
                brief(r.was),
                brief(r.becomes),
                f"{r.constraint} of {r.kernel}",
                r.advice,
            ]
            for r in found.rescales
        ]
        yield table("Conflicts", ["value", "its type", "the kernel's", "demanded by", "remedy"], rows)
    if found.open:
        named = [(with_layer(each.value, each.layer), each) for each in found.open]
        rows = [[name, each.kernel, each.reason, str(each.location)] for name, each in named]
        yield table("Left in float", ["value", "kernel", "reason", "where"], rows)
    if found.left:
        rows = [[with_layer(x.value, x.layer), x.operation, x.reason] for x in found.left]
        yield table("Outside of kernels, in float", ["value", "operation", "reason"], rows)
    if found.choices:
        yield table("Materialized", ["choice"], [[str(each)] for each in found.choices])
    text = show(found.module)
    if len(text) <= LONGEST:
        yield tag("details", tag("summary", "The program"), tag("pre", text, tabindex="0"))


def _decision(each: Decision) -> list[str]:
    range = "" if each.range is None else f"{each.range[0]:.6g} to {each.range[1]:.6g}"
    at = str(each.location)
    value = with_layer(each.value, each.layer)
    reason = f"{each.constraint}: {each.note}" if each.note else each.constraint
    return [value, brief(each.type), reason, range, each.neighbour, each.kernel, at]
