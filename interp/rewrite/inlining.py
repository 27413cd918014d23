"""`inline`: a function with its calls replaced by the operations of the functions called."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from interp.recorder.names import value_name
from interp.rewrite.float_reference import entry_module
from spec.errors import Location
from spec.ir import Func, Module, Op, Region, Value, callee_names, callees

CALL, COMPOSITE = "func.call", "stablehlo.composite"


def inline_calls(module: Module, entry: Func) -> Module:
    """Return the module of `inline_and_name`, without the names."""
    return inline_and_name(module, entry)[0]


def inline_and_name(
    module: Module, entry: Func, composites: bool = False
) -> tuple[Module, Mapping[str, str]]:
    """Return a module with `entry`, without calls, as `@main`, and the functions that its regions call.

    composites: composites become the operations of their decompositions, too.

    Also return, for each value, its name in a record of a run of `module`, such as `@pool/%4#2`. A callee's
    value has its function's name in front: `%4` of `@pool` is `%pool.4`, and `%pool_2.4` at the second call.
    The location of its operation also names the call site.
    """
    if _is_inlined(module, entry):
        values = (v for op in entry.body.ops for v in op.results)
        return module, {v.name: value_name(module, entry.name, v.name, 0) for v in values}
    whole = entry_module(module, entry)
    main = whole.main
    writer = _Inliner(whole, (CALL, COMPOSITE) if composites else (CALL,))
    ops, returned = writer.enter(main, {}, "", ())
    body = Region(main.inputs, (*ops, replace(main.body.ops[-1], operands=returned)))
    functions = {**whole.functions, "main": replace(main, body=body)}
    reached = callees(Module(functions), "main")
    kept = {name: func for name, func in functions.items() if name == "main" or name in reached}
    program = Module(kept, module.dialect, module.source)
    names = {
        new: value_name(module, entry.name if func == "main" else func.removeprefix("part."), old, run)
        for new, (func, old, run) in writer.origins.items()
    }
    return program, names


def _is_inlined(module: Module, entry: Func) -> bool:
    """Return whether a module is one public function `@main` and nothing else, which has nobody to call."""
    facts = module.unrefined, module.reference, module.composed, module.defaults, module.origin or None
    is_alone = len(module.functions) == 1 and module.functions.get("main") is entry and entry.public
    return is_alone and facts == (None,) * len(facts)


def inlined_with_originals(module: Module, entry: Func) -> tuple[Module, Mapping[str, Op]]:
    """Return the module of `inline_and_name`, and for each value of @main the operation that it is from."""
    whole = entry_module(module, entry)
    writer = _Inliner(whole)
    ops, returned = writer.enter(whole.main, {}, "", ())
    last = replace(whole.main.body.ops[-1], operands=returned)
    main = replace(whole.main, body=Region(whole.main.inputs, (*ops, last)))
    every = ((func.name, op) for func in module.functions.values() for op in func.body.ops)
    known = {(name, v.name): op for name, op in every for v in op.results}
    places = {
        new: (entry.name if func == "main" else func.removeprefix("part."), old)
        for new, (func, old, _) in writer.origins.items()
    }
    originals = {new: known[place] for new, place in places.items() if place in known}
    return Module({**whole.functions, "main": main}, module.dialect, module.source), originals


Renaming = Mapping[str, Value]


@dataclass
class _Inliner:
    """Copier of the operations of functions, one after another, which renames their values."""

    module: Module
    calls: tuple[str, ...] = (CALL,)
    prefixes: set[str] = field(default_factory=set)
    runs: Counter[str] = field(default_factory=Counter)
    origins: dict[str, tuple[str, str, int]] = field(default_factory=dict)  # function, value, run

    def enter(
        self, func: Func, known: Renaming, prefix: str, sites: tuple[Location, ...]
    ) -> tuple[tuple[Op, ...], tuple[Value, ...]]:
        """Return the operations of a function and the values that it returns; `known` are its arguments."""
        body, run = func.body, self.runs[func.name]
        self.runs[func.name] += 1
        names, ops = dict(known), list[Op]()
        for op in body.ops[:-1]:
            if op.name in self.calls:
                callee = self.module[callee_names(op)[0]]
                operands = [_rename_value(v, names, prefix) for v in op.operands]
                given = {v.name: x for v, x in zip(callee.inputs, operands, strict=True)}
                inner, returned = self.enter(callee, given, self._prefix(callee.name), (op.location, *sites))
                ops += inner
                names |= {v.name: x for v, x in zip(op.results, returned, strict=True)}
            else:
                ops.append(rename_operation(op, names, prefix, sites))
                for old, new in zip(op.results, ops[-1].results, strict=True):
                    self.origins[new.name] = func.name, old.name, run
        return tuple(ops), tuple(_rename_value(v, names, prefix) for v in body.returns)

    def _prefix(self, callee: str) -> str:
        """Return a prefix that no other call uses, and with which no value of the program begins."""
        name = re.sub(r"\W", "_", callee.removeprefix("part."))
        for count in itertools.count(1):
            prefix = f"{name}." if count == 1 else f"{name}_{count}."
            if prefix not in self.prefixes and not any(x.startswith(prefix) for x in self.dotted_names):
                break
        self.prefixes.add(prefix)
        return prefix

    @cached_property
    def dotted_names(self) -> set[str]:
        """Return the names of the program's values that contain a dot."""
        return {v.name.removeprefix("%") for v in self.module.values() if "." in v.name}


def _rename_value(value: Value, names: Renaming, prefix: str) -> Value:
    return names.get(value.name) or replace(value, name=f"%{prefix}{value.name.removeprefix('%')}")


def rename_operation(op: Op, names: Renaming, prefix: str, sites: tuple[Location, ...]) -> Op:
    """Return an operation whose values, those of its regions included, have other names."""
    operands, results = ([_rename_value(v, names, prefix) for v in vs] for vs in (op.operands, op.results))
    regions = tuple(_region(region, names, prefix) for region in op.regions)
    return replace(
        op,
        operands=tuple(operands),
        results=tuple(results),
        regions=regions,
        location=_call_location(op.location, sites),
    )


def _region(region: Region, names: Renaming, prefix: str) -> Region:
    arguments = tuple(_rename_value(v, {}, prefix) for v in region.arguments)
    inner = {name: v for name, v in names.items() if name not in {a.name for a in region.arguments}}
    return Region(arguments, tuple(rename_operation(op, inner, prefix, ()) for op in region.ops))


def _call_location(location: Location, sites: tuple[Location, ...]) -> Location:
    """Return a location that also names the places where its function is called, the innermost first."""
    known: Iterator[str] = (f"called at {site}" for site in sites if site.line or site.name)
    name = ", ".join(filter(None, [location.name, *known]))
    return location._replace(name=name)
