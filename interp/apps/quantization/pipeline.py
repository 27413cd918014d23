"""The stages from a float program to a quantized one, each a program that prints, runs and compares."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any

from interp.apps.quantization.calibrate import calibrate
from interp.apps.quantization.choices import Choice, Choices
from interp.apps.quantization.constrain import constrain
from interp.apps.quantization.constraints import Constraints
from interp.apps.quantization.decisions import Decision, Open, Rescale
from interp.apps.quantization.fuse import fuse
from interp.apps.quantization.instrument import instrument
from interp.apps.quantization.left import Left, left_in_float
from interp.apps.quantization.materialize import materialized
from interp.apps.quantization.observe import references
from interp.apps.quantization.prepare import prepare
from interp.apps.quantization.propagate import propagation
from interp.apps.quantization.shipped import target_named
from interp.apps.quantization.targets import Target
from interp.execute.calling import calling_of
from interp.execute.refine import refine
from interp.loading.functions import is_function, is_pair
from interp.loading.functions import program as lowered
from interp.loading.load import as_module
from interp.rewrite.reference import with_reference
from spec.errors import Malformed
from spec.ir import Module
from spec.options import one_of, shown

STAGES = ("prepare", "instrument", "calibrate", "fuse", "constrain", "propagate", "materialize")
QUANTIZED = ("propagate", "materialize")  # whose programs round what the given one does not
Progress = Callable[[str, int, int], None]


@dataclass
class Stages:
    """Results of a pipeline: programs and seconds by stage, decisions, and the ports that stayed open.

    choices: what preparation merged, and what materialization chose, accumulators among them.
    """

    target: Target
    programs: dict[str, Module] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    rescales: tuple[Rescale, ...] = ()
    open: tuple[Open, ...] = ()
    choices: tuple[Choice, ...] = ()

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


def run_stages(module: Module, samples: Iterable[Sequence[Any]], options: Options, until: str) -> Stages:
    """Run the stages up to the one named `until`."""
    last = STAGES.index(one_of(STAGES, until, "stage"))
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
        found.choices = tuple(choices.made)
        return module
    if name == "instrument":
        instrumented = instrument(given)
        if not references(instrumented):
            raise Malformed("nothing to quantize", "no float of the program depends on an argument")
        return instrumented
    if name == "calibrate":
        return calibrate(given, samples, options.method, progress=options.progress)
    if name == "fuse":
        return fuse(given, target)
    if name == "constrain":
        return constrain(given, options.constraints)
    if name == "propagate":
        propagated = propagation(given, target)
        found.decisions, found.rescales = propagated.decisions, propagated.rescales
        found.open = propagated.open
        return propagated.module
    made = materialized(given, target, options.flow)
    found.choices += made.choices
    return made.module


def program_and_samples(
    program: Any, samples: Iterable[Any]
) -> tuple[Module, Iterable[Sequence[Any]], list[Any]]:
    """Return a program as a module, the samples as its arguments, and the first one.

    A JAX function without arguments is lowered on those of the first sample; samples may be the trees that
    it takes.
    """
    if not isinstance(samples, Iterable):
        verdict = f"expected samples, got {shown(samples)}"
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
        module = refine(module, *head[0])
    whole = itertools.chain(head, flat)
    return module, Counted(whole, len(samples)) if isinstance(samples, Sized) else whole, head


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
