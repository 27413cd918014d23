"""Accumulations: along which tree, in which arithmetic and from which start a machine adds.

An accumulation prints as the text that reads back as it, such as `lanes(16: left fma; balanced) in f32`.
docs/accumulations.md has the grammar, and the tree of each pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, overload

from spec.accumulation_text import EXPECTED, NAMES, read, text_of
from spec.accumulator import Accumulator, is_profile
from spec.errors import Malformed, short_text
from spec.patterns import LEFT_ONE_BY_ONE, SCALES, Level, Where, build
from spec.schedule import LEFT, Schedule
from spec.schedule import parse as parse_schedule
from spec.trees import PLAIN, Arithmetic, Node, Tree, canonical

STARTS = ("", "without init", "from zero", "init last")


@dataclass(frozen=True)
class Accumulation:
    """A way to add: a tree for each number of leaves, the arithmetic of each node, and the start.

    where: other levels by the number of elements; the first that holds counts. start: "" is from the init
    value, of which each group has its own; "without init" leaves it out; "from zero": groups start from zero,
    and their sums from the init; "init last": the sum is that without init, and the init is added to
    it. flushes_inputs: subnormal elements, or factors, count as zeros. inputs: the type that they are rounded
    to first, and how: `inputs in tf32 toward zero`.

    >>> Accumulation.parse("lanes(4: left fma; balanced) in f32")
    lanes(4: left fma in f32; balanced in f32)
    """

    level: Level = LEFT_ONE_BY_ONE
    where: tuple[Where, ...] = ()
    start: str = ""
    flushes_inputs: bool = False
    inputs: Arithmetic = PLAIN

    def __post_init__(self) -> None:
        if self.start not in STARTS:
            raise Malformed(f"{short_text(self.start)} is not a start", f"known: {', '.join(STARTS[1:])}")
        if self.inputs != Arithmetic(type=self.inputs.type, rounding=self.inputs.rounding) or (
            self.inputs.rounding and not self.inputs.type
        ):
            raise Malformed(f"inputs {self.inputs!r} are not known", "expected such as inputs in tf32")
        if any(level.name == SCALES for level in self.levels) and (self.where or self.start):
            advice = "expected such as scales(left in i32; left in f32), where each group starts from zero"
            raise Malformed("scales(...) has no other level and no other start beside it", advice)
        if self.start == "from zero" and not any(level.is_grouping for level in self.levels):
            raise Malformed(f"{text_of(self.level)} has no groups that start from zero")

    def __repr__(self) -> str:
        parts = [text_of(self.level)]
        parts += [f"where n {'<' if w.below else '>='} {w.bound}: {text_of(w.level)};" for w in self.where]
        if words := [*self.inputs.words(), *["flush"] * self.flushes_inputs]:
            parts.append(" ".join(["inputs", *words]))
        return " ".join([*parts, *([self.start] if self.start else [])])

    @property
    def levels(self) -> tuple[Level, ...]:
        """The level for all sums, and those by the number of elements."""
        return self.level, *(each.level for each in self.where)

    @property
    def arithmetics(self) -> tuple[Arithmetic, ...]:
        """All arithmetics that its nodes may have, each once."""
        return tuple(dict.fromkeys(a for level in self.levels for a in level.arithmetics))

    @property
    def has_type(self) -> bool:
        """Return whether a node names a type of sums or of products."""
        return any(a.has_type for a in self.arithmetics)

    @property
    def is_plain(self) -> bool:
        """Return whether every node is plain, in the declared type, so that only the tree counts."""
        return self.arithmetics == (PLAIN,) and not self.flushes_inputs and self.inputs == PLAIN

    @property
    def without_init(self) -> bool:
        return self.start == "without init"

    @property
    def is_by_scales(self) -> bool:
        """Return whether it has one accumulation for products of one scale, and one for their sums."""
        return self.level.name == SCALES

    @property
    def within(self) -> Accumulation:
        """The accumulation of products of one scale, from zero."""
        return replace(self, level=self.level.inner or self.level)

    @property
    def across(self) -> Accumulation:
        """The accumulation of the sums of products of one scale, each times its scales, from zero."""
        return Accumulation(self.level.outer or self.level)

    def in_accumulator(self, accumulator: Accumulator) -> Accumulation:
        """Return the accumulation in which nodes that name no type have that of an accumulator."""
        own = _accumulator_arithmetic(accumulator)
        return self.change(
            lambda a: a if a.type else replace(a, type=own.type, rounding=a.rounding or own.rounding)
        )

    def tree(self, n: int, has_init: bool = True) -> Tree:
        """Return the tree over n leaves; leaf 0 is the init value if there is one.

        An accumulation without init has none: all leaves are elements.
        """
        return _tree(self, n, has_init and not self.without_init)

    def change(self, f: Callable[[Arithmetic], Arithmetic]) -> Accumulation:
        """Return the accumulation with `f` of the arithmetic of each node."""
        where = tuple(replace(each, level=each.level.change(f)) for each in self.where)
        return replace(self, level=self.level.change(f), where=where)

    def explicit(self, n: int, has_init: bool = True) -> Accumulation:
        """Return the accumulation of the explicit tree over n leaves; other numbers of leaves it has not."""
        level = Level("tree", tree=self.tree(n, has_init))
        return replace(self, level=level, where=(), start=self.start if self.without_init else "")

    @staticmethod
    def parse(text: str | Accumulation) -> Accumulation:
        """Read the text of an accumulation, of a schedule, of an accumulator, or the name of a profile.

        Such as "left fma", "blocks(32)", "i16 saturate" and "nvidia.h100.f16" (`spec.hardware`).
        """
        if isinstance(text, Accumulation):
            return text
        if not isinstance(text, str):
            raise Malformed(f"{short_text(text)} is not an accumulation", EXPECTED)
        return _parse(text)

    @overload
    @staticmethod
    def of(source: Mapping[Any, Any], schedule: str | Schedule = LEFT) -> Mapping[Any, Accumulation]: ...

    @overload
    @staticmethod
    def of(
        source: int | str | Schedule | Accumulator | Accumulation, schedule: str | Schedule = LEFT
    ) -> Accumulation: ...

    @staticmethod
    def of(source: Any, schedule: str | Schedule = LEFT) -> Any:
        """Return the accumulation of a schedule, of an accumulator or of a text; of a mapping, of each value.

        schedule: the order of an accumulator's sums, or of the sums of its groups. An integer is a width.
        """
        if isinstance(source, Mapping):
            return {name: Accumulation.of(each, schedule) for name, each in source.items()}
        if isinstance(source, Schedule):
            return Accumulation(level_of(source, PLAIN))
        if isinstance(source, int) and not isinstance(source, bool):
            source = Accumulator(source)
        if isinstance(source, Accumulator):
            return Accumulation(level_of(parse_schedule(schedule), _accumulator_arithmetic(source)))
        if isinstance(source, str) and (found := _hardware(source, parse_schedule(schedule))):
            return found
        return Accumulation.parse(source)


@lru_cache(maxsize=256)
def _parse(text: str) -> Accumulation:
    if found := _hardware(text, LEFT):
        return found
    if is_profile(text):
        from spec.hardware import profile  # which few runs need

        return _parse(profile(text).text)
    if "," in text:  # only the steps of a schedule's tree have commas
        return Accumulation.of(parse_schedule(text))
    return Accumulation(*read(text))


@lru_cache(maxsize=256)
def _tree(accumulation: Accumulation, n: int, has_init: bool) -> Tree:
    holding = (each.level for each in accumulation.where if each.holds(n - has_init))
    level = next(holding, accumulation.level)
    return build(level, n, has_init, accumulation.start)


def is_accumulation(given: object) -> bool:
    """Return whether this is an accumulation, its text, or the name of a profile."""
    if isinstance(given, Accumulation):
        return True
    return is_profile(given) or (isinstance(given, str) and given.strip().startswith(NAMES))


def level_of(schedule: Schedule, arithmetic: Arithmetic) -> Level:
    """Return the level of a schedule of the specification."""
    argument = schedule.argument
    if not isinstance(argument, tuple):
        return Level(schedule.name, () if argument is None else (argument,), arithmetic)
    n = len(argument) + 2 - sum(node == 0 for step in argument for node in step) if argument else 1
    nodes = [Node(step, arithmetic) for step in argument]
    return Level("tree", tree=canonical(n, nodes, n + len(nodes) - 1))


# Texts of accumulators, which are older than accumulations.
NAMED = {"maddubs": "i16 saturate blocks(2) i32"}  # x86's pmaddubsw, and vpdpbusd without its sum of four
_TYPE = r"(i[0-9]{1,2}(?: (?:wrap|saturate))?|f16|bf16|f32|f64)"
ACCUMULATOR = re.compile(rf"{_TYPE}(?: (blocks|split)\(([1-9][0-9]{{0,8}})\)(?: {_TYPE})?)?")


def _hardware(text: str, schedule: Schedule) -> Accumulation | None:
    """Return the accumulation that an accumulator's text means, None if it is not one.

    Groups are summed one after the other, from zero, and the schedule is that of the groups' sums.
    """
    match = ACCUMULATOR.fullmatch(NAMED.get(text.strip(), text.strip()))
    if not match:
        return None
    inner, grouping, size, outer = match.groups()
    if not grouping:
        return Accumulation(level_of(schedule, _read_arithmetic(inner)))
    levels = Level(arithmetic=_read_arithmetic(inner)), level_of(schedule, _read_arithmetic(outer or inner))
    name = "lanes" if grouping == "split" else grouping
    return Accumulation(Level(name, (int(size),), PLAIN, *levels), start="from zero")


def _read_arithmetic(text: str) -> Arithmetic:
    type, _, mode = text.partition(" ")
    return Arithmetic(type=type, rounding=mode)


def _accumulator_arithmetic(accumulator: Accumulator) -> Arithmetic:
    return Arithmetic(type=f"i{accumulator.bits}", rounding="saturate" if accumulator.saturates else "")
