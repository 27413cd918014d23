"""The intermediate representation: frozen values, operations, functions and modules, printed as MLIR."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from spec.attributes import Symbol, attributes_text, quote, symbol_text
from spec.errors import UNKNOWN, Location, Malformed, Missing
from spec.types import TensorType


@dataclass(frozen=True)
class Value:
    """An SSA value: name (`%4`), type, exporter's label (JAX's: `params['w']`), and advice for callers."""

    name: str
    type: TensorType
    label: str = field(default="", compare=False)
    advice: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The label and the name, for errors."""
        return f"{self.label} ({self.name})" if self.label else self.name

    def __repr__(self) -> str:
        return f"{self.name}: {self.type!r}"


@dataclass(frozen=True)
class Region:
    """A function body: arguments and operations, the last of which returns."""

    arguments: tuple[Value, ...]
    ops: tuple[Op, ...]

    @property
    def returns(self) -> tuple[Value, ...]:
        """The operands of the terminator."""
        return self.ops[-1].operands

    def __repr__(self) -> str:
        return region_text(self)


@dataclass(frozen=True)
class Op:
    """An operation. Attributes have the specification's names and Python values.

    int, bool, float, str (also enums: `"GE"`), tuples of int (`dimensions`), tuples of tuples of int
    (`padding`), `Dense`, `Symbol`, `Opaque`. `dot_dimension_numbers` and `dimension_numbers` arrive split
    into the specification's inputs (`lhs_contracting_dimensions`, `input_batch_dimension`, ...);
    defaults are filled in.
    """

    name: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    regions: tuple[Region, ...] = ()
    location: Location = field(default=UNKNOWN, compare=False)

    def __getitem__(self, attribute: str) -> Any:
        """Return an attribute; `Malformed` if the operation does not have it."""
        if attribute not in self.attributes:
            names = ", ".join(self.attributes) or "none"
            raise Missing(f"{self.name} has no {attribute}", f"its attributes: {names}", self.location)
        return self.attributes[attribute]

    @property
    def operand(self) -> Value:
        """The only operand."""
        (operand,) = self.operands
        return operand

    @property
    def result(self) -> Value:
        """The only result."""
        (result,) = self.results
        return result

    def __repr__(self) -> str:
        return op_text(self)


@dataclass(frozen=True, eq=False)
class Func:
    """A function: `inputs` and `results` are its signature, `body` its region.

    Functions that differ only in the names of their values are equal: bytecode has no names.
    """

    name: str
    body: Region
    results: tuple[TensorType, ...]
    public: bool = True
    location: Location = field(default=UNKNOWN, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Func):
            return NotImplemented
        signatures = [(f.name, f.results, f.public) for f in (self, other)]
        return signatures[0] == signatures[1] and number_values(self.body, {}) == number_values(
            other.body, {}
        )

    @property
    def inputs(self) -> tuple[Value, ...]:
        return self.body.arguments

    def __repr__(self) -> str:
        return function_text(self)


class Mention(NamedTuple):
    """The name of the file that has a program's float reference, its SHA-256, and what that program is."""

    file: str
    sha256: str
    origin: str


class Defaults(NamedTuple):
    """Defaults of a module where the caller gives no option: the reading of quantized operations, the recipe.

    kernels: the kernels that it is written for, `litert` or `micro`, by whose bits it means this.
    """

    reading: str
    recipe: str
    kernels: str


@dataclass(frozen=True)
class Module:
    """A program. `dialect` is "stablehlo", or "rfc" for the reduction RFC's form (erratum E7).

    `reference` is the float program that it was made from, and `origin` says in words what that is; or, where
    that program is lost, why. Neither is a part of the program: both are left out of equality and printing.
    """

    functions: Mapping[str, Func]
    dialect: str = "stablehlo"
    source: str = field(default="", compare=False, repr=False)
    unrefined: Any = field(default=None, compare=False, repr=False)  # what `refine` reads again
    reference: Module | Mention | None = field(default=None, compare=False, repr=False)
    origin: str = field(default="", compare=False, repr=False)
    composed: Any = field(default=None, compare=False, repr=False)  # see `as_written`
    defaults: Defaults | None = None

    def __getitem__(self, name: str) -> Func:
        if not isinstance(name, str) or name not in self.functions:
            raise Malformed(
                f"no function @{name}", "functions: " + ", ".join(f"@{f}" for f in self.functions)
            )
        return self.functions[name]

    @property
    def main(self) -> Func:
        """`@main`, or the only public function."""
        public = [f for f in self.functions.values() if f.public]
        return public[0] if len(public) == 1 and "main" not in self.functions else self["main"]

    @property
    def as_written(self) -> Module:
        """The program before composites that mean quantization were read as such; else this one.

        `composed` has the functions that were made of it: a module with other functions is another program.
        """
        if self.composed and self.composed[0] is self.functions:
            written: Module = self.composed[1]
            return written
        return self

    @cached_property
    def is_dynamic(self) -> bool:
        """Return whether some size is unknown, so that `interp.refine` must come first."""
        return any(None in value.type.shape for value in self.values())

    def values(self) -> Iterator[Value]:
        """Yield the parameters of all functions, and the results of all operations."""
        for function in self.functions.values():
            yield from function.inputs
        for op in self.ops():
            yield from op.results

    def ops(self) -> Iterator[Op]:
        """Yield every operation, including those in regions, in program order."""
        for function in self.functions.values():
            yield from nested_ops(function.body)

    def __repr__(self) -> str:
        return module_text(self)


# The attributes that name functions which an operation runs.
RUN_PARALLEL = "interpreter.run_parallel"  # whose attributes list functions
CALLEES = {"func.call": "callee", "stablehlo.composite": "decomposition"}


def callee_names(op: Op) -> tuple[str, ...]:
    """Return the names of the functions that an operation runs."""
    if op.name == RUN_PARALLEL:
        attributes = (op.attributes.get(name) for name in ("programs", "infeed"))
        return tuple(dict.fromkeys(name for x in attributes if x for name in functions_in(repr(x))))
    symbol = op.attributes.get(CALLEES.get(op.name, ""))
    return (symbol.name,) if isinstance(symbol, Symbol) else ()


def inner_regions(module: Module, op: Op) -> tuple[Region, ...]:
    """Return the regions that an operation runs: its own, and those of the functions it calls."""
    return (*op.regions, *(module[name].body for name in callee_names(op)))


def callees(module: Module, name: str) -> set[str]:
    """Return the functions that a function runs, directly or indirectly."""
    reached: set[str] = set()
    todo = [name]
    while todo:
        ops = nested_ops(module.functions[todo.pop()].body)
        fresh = {name for op in ops for name in callee_names(op)} - reached
        reached |= fresh
        todo += fresh & module.functions.keys()
    return reached


def functions_in(text: str) -> list[str]:
    """Return the names in the text of an attribute that lists functions: `[@a, @b]`."""
    return re.findall(r"@([\w$.]+)", text)


def nested_ops(region: Region) -> Iterator[Op]:
    """Yield every operation of a region and of the regions inside, in program order."""
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from nested_ops(inner)


def number_values(region: Region, names: dict[str, str]) -> Region:
    """Return a region with values named `%0`, `%1`, ... in order; `names` has the names given before."""

    def rename(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(Value(names.setdefault(v.name, f"%{len(names)}"), v.type) for v in values)

    arguments, ops = rename(region.arguments), []
    for op in region.ops:
        operands, results = rename(op.operands), rename(op.results)
        inner = tuple(number_values(each, names) for each in op.regions)
        ops.append(replace(op, operands=operands, results=results, regions=inner))
    return Region(arguments, tuple(ops))


def captures(op: Op) -> tuple[Value, ...]:
    """Return the values, defined outside, that the regions of an operation read."""
    found: dict[str, Value] = {}
    for region in op.regions:
        own = {value.name for value in region.arguments}
        own |= {value.name for inner in nested_ops(region) for value in inner.results}
        own |= {v.name for inner in nested_ops(region) for r in inner.regions for v in r.arguments}
        operands = (value for inner in nested_ops(region) for value in inner.operands)
        found |= {value.name: value for value in operands if value.name not in own}
    return tuple(found.values())


def reads(op: Op) -> tuple[Value, ...]:
    """Return the values that an operation reads, itself and in its regions."""
    return (*op.operands, *captures(op))


def needed_ops(ops: Sequence[Op], values: Iterable[Value]) -> tuple[Op, ...]:
    """Return those operations of a block on which values depend, in program order."""
    needed, chosen = {value.name for value in values}, list[Op]()
    for op in reversed(ops):
        if any(value.name in needed for value in op.results):
            needed |= {value.name for value in reads(op)}
            chosen.append(op)
    return tuple(reversed(chosen))


def return_only(region: Region, values: Sequence[Value]) -> Region:
    """Return a region that returns some of its values, and has only the operations that they need."""
    end = replace(region.ops[-1], operands=tuple(values))
    return replace(region, ops=(*needed_ops(region.ops[:-1], values), end))


# The text of a program as MLIR, which reads back as the same program: generic operations in `func.func`.


class Style(NamedTuple):
    """Style of printing: `limit` abbreviates constants of more elements (such text does not read back).

    names: the locations that have a name are printed, with their places if these have lines.
    """

    locations: bool = False
    limit: int | None = None
    names: bool = False


FAITHFUL = Style()
NAMED = Style(names=True)


def show(module: Module, locations: bool = False, limit: int = 16) -> str:
    """Return the module as text in which constants of more than `limit` elements are abbreviated."""
    return module_text(module, Style(locations, limit))


def module_text(module: Module, style: Style = FAITHFUL, mention: Mention | None = None) -> str:
    """Return the text of a module; mention: the file of its float reference, which it names."""
    lines = [line for function in module.functions.values() for line in _function(function, style)]
    facts = {"interp.defaults": module.defaults, "interp.reference": mention}
    attributes = ", ".join(f"{name} = {_pairs(known)}" for name, known in facts.items() if known)
    head = f"module attributes {{{attributes}}} {{" if attributes else "module {"
    return "\n".join([head, *_indent(lines), "}"])


def _pairs(known: Defaults | Mention) -> str:
    return f"{{{', '.join(f'{name} = {quote(text)}' for name, text in known._asdict().items())}}}"


def function_text(function: Func, style: Style = FAITHFUL) -> str:
    return "\n".join(_function(function, style))


def op_text(op: Op, style: Style = FAITHFUL) -> str:
    return "\n".join(_op(op, style))


def region_text(region: Region, style: Style = FAITHFUL) -> str:
    return "\n".join(_region(region, style))


def _function(function: Func, style: Style) -> Iterator[str]:
    visibility = "" if function.public else "private "
    arrow = f" -> {_result_types(function.results)}" if function.results else ""
    yield f"func.func {visibility}{symbol_text(function.name)}({_arguments(function.inputs)}){arrow} {{"
    yield from _indent(line for op in function.body.ops for line in _op(op, style))
    yield "}" + _location(function.location, style)


def _op(op: Op, style: Style) -> list[str]:
    names = ", ".join(value.name for value in op.operands)
    operands = ", ".join(repr(value.type) for value in op.operands)
    signature = f"({operands}) -> {_result_types([value.type for value in op.results])}"
    attributes = attributes_text(op.name, op.attributes, style.limit)
    tail = f"{attributes} : {signature}{_location(op.location, style)}"
    lines = [f'{_results(op.results)}"{op.name}"({names})']
    for k, region in enumerate(op.regions):
        lines[-1] += " ({" if k == 0 else ", {"
        lines += [*_region(region, style), "}"]
    lines[-1] += (")" if op.regions else "") + tail
    return lines


def _region(region: Region, style: Style) -> Iterator[str]:
    if region.arguments:
        yield f"^bb0({_arguments(region.arguments)}):"
    elif not region.ops:
        yield "^bb0:"
    yield from _indent(line for op in region.ops for line in _op(op, style))


def _results(values: Sequence[Value]) -> str:
    """Return `%0 = `, `%0, %1 = `, or `%0:2 = ` for the values `%0#0`, `%0#1`."""
    if not values:
        return ""
    if "#" in values[0].name:
        return f"{values[0].name.partition('#')[0]}:{len(values)} = "
    return ", ".join(value.name for value in values) + " = "


def _arguments(values: Sequence[Value]) -> str:
    return ", ".join(map(repr, values))


def _result_types(types: Sequence[TensorType]) -> str:
    return repr(types[0]) if len(types) == 1 else f"({', '.join(map(repr, types))})"


def _indent(lines: Sequence[str] | Iterator[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _location(where: Location, style: Style) -> str:
    if style.names and where.name:
        where = where if where.line else Location(name=where.name)
    elif not style.locations or where == UNKNOWN:
        return ""
    place = f"{quote(where.file)}:{where.line}:{where.column}" if where.line else quote(where.file)
    if not where.name:
        return f" loc({place})"
    return f" loc({quote(where.name)}({place}))" if where.file else f" loc({quote(where.name)})"
