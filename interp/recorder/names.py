"""Names of operations: `%sum`, or `@pool/%0` where `%0` alone is ambiguous.

Every verb prints and accepts these names. A name has its function in front if several functions use the name,
or if the function is called in several places. `%sum#2` is the second run of `%sum`. Where an exporter named
the layer, that is printed, too: `conv2 (%sum)`; it is accepted alone if it has one operation that fits.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from interp.engine.facts import facts
from interp.engine.memo import once
from interp.recorder.layers import function_of, layer_of
from spec.attributes import symbol_text
from spec.errors import Malformed
from spec.ir import Module, Op, callee_names, nested_ops

LISTED = 20  # names in an error


class Qualifier(NamedTuple):
    """Parts of a title beside the name: its function, if the name alone is ambiguous, and its layer."""

    function: str = ""
    layer: str = ""


ALONE = Qualifier()


class Named(NamedTuple):
    """An operation that a name can mean; `run` counts from 0, and None means all its runs."""

    op: Op
    function: str
    qualifier: Qualifier = ALONE
    run: int | None = None

    def __str__(self) -> str:
        return qualify(self.op.results[0].name, self.qualifier, self.run or 0)

    @property
    def title(self) -> str:
        """The name with that of the layer: `conv2 (%4)`."""
        return with_layer(str(self), self.qualifier.layer)

    def match(self, name: str) -> Named | None:
        """Return this operation, with the run that the name says, if the name means it, else None."""
        return self if name == self.qualifier.layer else self._match(*_parts(name))

    def _match(self, function: str, value: str) -> Named | None:
        values = [v.name.removeprefix("%") for v in self.op.results]
        values.append(values[0].partition("#")[0])
        if function not in ("", self.function):
            return None
        if self.run is not None:
            return (
                self if value in ([f"{v}#{self.run + 1}" for v in values] if self.run else values) else None
            )
        of_run, _, number = value.rpartition("#")
        if value not in values and of_run in values and number.isdecimal():
            return self._replace(run=int(number) - 1)
        return self if value in values else None


@once
def _ambiguous(module: Module) -> frozenset[tuple[str, str]]:
    """Return the pairs of function and value name that need the function in front.

    In such a pair another function has the same name, or the function is called in several places.
    """
    functions = module.functions.values()
    names = {
        func.name: {
            stem(v.name)
            for values in (func.inputs, *(op.results for op in nested_ops(func.body)))
            for v in values
        }
        for func in functions
    }
    uses = Counter(name for known in names.values() for name in known)
    calls = Counter(name for op in module.ops() for name in callee_names(op))
    return frozenset(
        (func, name) for func, known in names.items() for name in known if calls[func] > 1 or uses[name] > 1
    )


def stem(value: str) -> str:
    """Return `%4` for `%4#1`."""
    return value.partition("#")[0]


def qualifier(module: Module | None, op: Op) -> Qualifier:
    """Return what to print beside the name of an operation: its function where needed, and its layer."""
    if module is None or not op.results:
        return ALONE
    function = function_of(module, op)
    is_ambiguous = (function, stem(op.results[0].name)) in _ambiguous(module)
    return Qualifier(function if is_ambiguous else "", layer_of(module, op))


def value_name(module: Module, function: str, value: str, run: int = 0) -> str:
    """Return the name of an operation's first result in a function: `%4`, `@pool/%4#2`."""
    return qualify(value, Qualifier(function if (function, stem(value)) in _ambiguous(module) else ""), run)


def qualify(value: str, qualifier: Qualifier = ALONE, run: int = 0) -> str:
    """Return a name with its function and run: `%4`, `@pool/%4`, `@pool/%4#2`."""
    function = f"{symbol_text(qualifier.function)}/" if qualifier.function else ""
    return f"{function}{value}" + (f"#{run + 1}" if run else "")


def with_layer(name: str, layer: str) -> str:
    """Return `conv2 (%4)`, or the name alone if the layer has no name, or the same."""
    return f"{layer} ({name})" if layer and layer != name.removeprefix("%") else name


def name_of(module: Module, op: Op) -> str:
    """Return the name of an operation, which is that of its first result."""
    return qualify(op.results[0].name, qualifier(module, op))


def title_of(module: Module, op: Op) -> str:
    """Return the name of an operation with that of its layer: `conv2 (%4)`."""
    return with_layer(name_of(module, op), layer_of(module, op))


def operations(module: Module) -> list[Named]:
    """Return every operation of a module that has results, in the form that `find` takes."""
    return [
        Named(op, func.name, qualifier(module, op))
        for func in module.functions.values()
        for op in nested_ops(func.body)
        if op.results
    ]


def find(given: Any, known: Sequence[Named], what: str) -> Named:
    """Return the operation that a name means, with or without its function and `%`, or that an `Op` is.

    The name of a layer means its only operation, or its only reduction or contraction.
    Raise `Malformed` if there is none, with names that may have been meant, or if there are several.
    """
    if isinstance(given, Op):
        found = [x for x in known if x.op is given][:1]
    else:
        found = [meant for x in known if (meant := x.match(str(given).strip()))]
    if len(found) > 1 and all(str(given).strip() == x.qualifier.layer for x in found):
        found = [x for x in found if facts(x.op).is_recorded] or found
    if len(found) == 1:
        return found[0]
    shown = given.results[0].name if isinstance(given, Op) and given.results else str(given)
    if found:
        raise Malformed(f"{shown} may be several {what}s", f"give one of {list_names(found)}")
    raise Malformed(f"no {what} {shown}", name_hints(shown, known, what))


def result_number(op: Op, given: Any) -> int:
    """Return the number of the result that a name of an operation says: 1 for `%0#1` and its run `%0#1#2`."""
    values = [v.name.removeprefix("%") for v in op.results]
    value = "" if isinstance(given, Op) else _parts(str(given))[1]
    said = (x for x in (value, value.rpartition("#")[0]) if x in values)
    return next(map(values.index, said), 0)


def name_hints(given: str, known: Sequence[Named], what: str) -> str:
    """Return the evidence for an unknown name: similar known names, and the list of them."""
    names = {
        name: str(x)
        for x in known
        for name in (_plain(str(x)).rpartition("/")[2], _plain(str(x)), x.qualifier.layer)
        if name
    }
    close = difflib.get_close_matches(_plain(given), names, cutoff=0.5)
    meant = [f"did you mean {' or '.join(dict.fromkeys(names[x] for x in close))}?"] if close else []
    return "\n".join([*meant, f"{what}s: {list_names(known)}"])


def list_names(known: Sequence[Named]) -> str:
    """Return the names as text, at most `LISTED` of them."""
    more = [f"{len(known) - LISTED} more"] if len(known) > LISTED else []
    return ", ".join([*(x.title for x in known[:LISTED]), *more]) or "none"


def _parts(given: str) -> tuple[str, str]:
    """Return the function (if one is named) and the value, without `@`, quotes, `%`, and the layer's name."""
    given = given.rpartition(" (")[2][:-1] if given.endswith(")") else given
    function, _, value = given.strip().rpartition("/")
    return function.removeprefix("@").strip('"'), value.removeprefix("%")


def _plain(name: str) -> str:
    return name.replace("@", "").replace("%", "")
