"""Rewrites of the reduction RFC's text (erratum E7), which jaxlib's verifier refuses, in either form.

jaxlib reads the pretty form of an operation only if it knows the operation, and then it verifies it. So the
three reductions get names that it does not know, in the generic form on the same line; nothing else changes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from interp.loading.source import RESERVED, closing
from spec.errors import Malformed

UNCHECKED = "unchecked."  # as long as `stablehlo.`, so that columns stay
_HIDDEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*')
_PRETTY = re.compile(r'(?<!["#!\w.%@$-])(?:stablehlo|chlo)\.\w+')
_GENERIC = re.compile(r'"stablehlo\.(reduce|reduce_window|select_and_scatter)"')
_REDUCE = re.compile(r'(?<!["#!\w.%@$-])stablehlo\.reduce\s*(?=\()')
_GROUP = re.compile(r"\s*\(\s*(%[\w.$-]+(?:#\d+)?)\s+init:\s*(%[\w.$-]+(?:#\d+)?)\s*\)\s*,?")
_APPLIES = re.compile(r"\s*applies\s+([\w.]+)")
_DIMENSIONS = re.compile(r"\s*across\s+dimensions\s*=\s*\[([^\]]*)\]\s*")
_REDUCER = re.compile(r"\s*reducer\s*(?=\()")
_TYPE = re.compile(r"\s*!?[\w.]+\s*")
_ACCUMULATION = re.compile(r"\baccumulation_type\s*=\s*")
NEEDED = "expected `stablehlo.reduce(%x init: %i) across dimensions = [0] : (T, T) -> T reducer(...) {...}`"


class _Header(NamedTuple):
    """Parts of a `reduce` before its body; `end` is the position behind them in the text."""

    inputs: list[str]
    inits: list[str]
    applied: str
    attributes: str
    type: str
    end: int


def is_pretty(text: str) -> bool:
    """Return whether some operation of the text is in StableHLO's pretty form."""
    return bool(_PRETTY.search(_without_comments(text)))


def to_generic(text: str) -> str:
    """Return the text with its reductions in the generic form, by names that jaxlib does not know."""
    found = _reduces(_without_comments(text))
    return _GENERIC.sub(lambda m: f'"{UNCHECKED}{m[1]}"', found)


def own_name(op: str) -> str:
    """Return the name that an operation has in StableHLO."""
    return f"stablehlo.{op.removeprefix(UNCHECKED)}" if op.startswith(UNCHECKED) else op


def in_function(text: str) -> str:
    """Put a single operation, as in the RFC's examples, into the body of a function @main.

    Everything is added to the first line and after the last one, so that locations stay true.
    """
    operation = re.match(r'(?:\s*//.*\n)*\s*(%\w+)\s*=\s*"[\w.]+"\s*\(([^)]*)\)', text)
    signature = re.search(r":\s*\(([^()]*)\)\s*->\s*([^()]*?)\s*$", re.sub(r"//.*", "", text))
    if operation is None or signature is None:
        return text
    result, result_type = operation[1], signature[2]
    names, types = operation[2].split(","), re.split(r",(?![^<]*>)", signature[1])
    arguments = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=False))
    header = " ".join(f"func.func @main({arguments}) -> {result_type} {{".split())
    return f"{header} {text}\nfunc.return {result} : {result_type} }}"


def _without_comments(text: str) -> str:
    """Return the text with spaces in place of comments."""
    return _HIDDEN.sub(lambda m: " " * len(m[0]) if m[0].startswith("//") else m[0], text)


def _reduces(text: str) -> str:
    """Return the text with every pretty `reduce` in the generic form, those in bodies included."""
    parts, done = [], 0
    for head in _REDUCE.finditer(text):
        if head.start() < done:
            continue
        header = _header(text, head.end())
        body, end = _named_body(header) if header.applied else _body(text, header.end)
        lines = text.count("\n", head.start(), end)
        operands = ", ".join((*header.inputs, *header.inits))
        before = f'"{UNCHECKED}reduce"({operands}) ({{'
        inside = "\n" * (lines - body.count("\n")) + _reduces(body)
        parts += [text[done : head.start()], f"{before}{inside}}}) {{{header.attributes}}} : {header.type}"]
        done = end
    return "".join(parts) + text[done:]


def _header(text: str, at: int) -> _Header:
    inputs, inits = [], []
    while group := _GROUP.match(text, at):
        inputs.append(group[1])
        inits.append(group[2])
        at = group.end()
    applied = _APPLIES.match(text, at)
    dimensions = _DIMENSIONS.match(text, applied.end() if applied else at)
    if not inputs or dimensions is None:
        raise _unreadable(text, at)
    attributes, at = f"dimensions = array<i64{_dimension_list(dimensions[1])}>", dimensions.end()
    if text.startswith("{", at):
        end = _bracket_end(text, at)
        more = " ".join(text[at + 1 : end - 1].split())
        attributes, at = f"{attributes}, {more}" if more else attributes, end
    type, at = _function_type(text, at)
    return _Header(inputs, inits, applied[1] if applied else "", attributes, type, at)


def _dimension_list(numbers: str) -> str:
    return f": {numbers.strip()}" if numbers.strip() else ""


def _function_type(text: str, at: int) -> tuple[str, int]:
    """Return `(T, T) -> T` behind a colon, and where it ends."""
    colon = re.compile(r"\s*:\s*(?=\()").match(text, at)
    if colon is None:
        raise _unreadable(text, at)
    end = _bracket_end(text, colon.end())
    arrow = re.compile(r"\s*->\s*").match(text, end)
    if arrow is None:
        raise _unreadable(text, end)
    end = arrow.end()
    if not text.startswith("(", end):
        word = _TYPE.match(text, end)
        end = len(text[: word.end()].rstrip()) if word else 0
    if end and text.startswith(("(", "<"), end):
        end = _bracket_end(text, end)
    if not end:
        raise _unreadable(text, arrow.end())
    return " ".join(text[colon.end() : end].split()), end


def _body(text: str, at: int) -> tuple[str, int]:
    """Return a `reducer(...) {...}` as the block of a region, and where it ends."""
    reducer = _REDUCER.match(text, at)
    if reducer is None:
        raise _unreadable(text, at)
    at, pairs = reducer.end(), []
    while text.startswith("(", at):
        end = _bracket_end(text, at)
        pairs.append(_arguments(text[at + 1 : end - 1]))
        at = _skip_space(text, end)
    if not text.startswith("{", at) or any(len(pair) != 2 for pair in pairs):
        raise _unreadable(text, at)
    end = _bracket_end(text, at)
    arguments = ", ".join(argument for side in zip(*pairs, strict=True) for argument in side)
    return f"^bb0({arguments}):{text[at + 1 : end - 1]}", end


def _arguments(text: str) -> list[str]:
    """Return the arguments in `(%a: T, %b: T)`, each on one line."""
    return [" ".join(part.split()) for part in re.split(r",(?=\s*%)", text)]


def _named_body(header: _Header) -> tuple[str, int]:
    """Return the body of the operation that `applies` names, on the accumulation type or the init's."""
    types = re.split(r",(?![^<]*>)", header.type[1 : closing(header.type, 0) - 1])
    type = types[-1].strip()
    if given := _ACCUMULATION.search(header.attributes):
        word = _TYPE.match(header.attributes, given.end())
        end = word.end() if word else given.end()
        end = closing(header.attributes, end) if header.attributes.startswith("<", end) else end
        type = header.attributes[given.end() : end]
    lhs, rhs, result = (f"%applied{RESERVED}{name}" for name in ("lhs", "rhs", "result"))
    combined = f'{result} = "{header.applied}"({lhs}, {rhs}) : ({type}, {type}) -> {type}'
    body = f'^bb0({lhs}: {type}, {rhs}: {type}): {combined} "stablehlo.return"({result}) : ({type}) -> () '
    return body, header.end


def _bracket_end(text: str, at: int) -> int:
    end = closing(text, at)
    if not end:
        raise _unreadable(text, at)
    return end


def _skip_space(text: str, at: int) -> int:
    return len(text) - len(text[at:].lstrip())


def _unreadable(text: str, at: int) -> Malformed:
    return Malformed(f"line {text.count(chr(10), 0, at) + 1}: this reduce cannot be read", NEEDED)
