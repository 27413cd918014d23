"""Operations that no jaxlib knows: removed ones, `run_parallel` and checks, read under other names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from interp.loading.source import closing
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from spec.op_attributes import FORMS

# Reader of operations that were removed from the quant dialect, which jaxlib does not know.
#
# jaxlib refuses an unknown operation of a dialect that it knows. So these get the name of a dialect that it
# does not know, at the same line and column, and their own name again when the program is imported.

_QUANT = ("stats", "stats_ref", "coupled_ref", "region", "return")
HISTORIC = frozenset({f"quant.{name}" for name in _QUANT} | FORMS.keys())
_OWN, _HIDDEN = "quant.", "quasi."  # equally long, so that columns stay
_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\]|\\.)*"')
_CALL = re.compile(r"\s*\(")


def hide(text: str) -> tuple[str, bool]:
    """Return the text with these operations under their other names, and whether there are any.

    They have the generic form alone. TensorFlow's keep their names, since jaxlib does not know its dialect.
    """
    found = False

    def rename(token: re.Match[str]) -> str:
        nonlocal found
        is_op = token[0][1:-1] in HISTORIC and _CALL.match(text, token.end())
        found = found or bool(is_op)
        return token[0].replace(f'"{_OWN}', f'"{_HIDDEN}', 1) if is_op else token[0]

    if any(f'"{name}' in text for name in ("quant.", "tf.")):
        text = _TOKEN.sub(rename, text)
    return text, found


def restore_names(text: str) -> str:
    """Return a text or a message with the operations under their own names."""
    return text.replace(_HIDDEN, _OWN)


def unhide(op: str) -> str:
    """Return the name of an operation that is perhaps hidden."""
    return op.replace(_HIDDEN, _OWN, 1) if op.startswith(_HIDDEN) else op


def find_unknown(op: Any) -> Iterator[Any]:
    """Yield the operations inside this one that neither jaxlib nor this file knows."""
    for inner in (view.operation for region in op.regions for block in region for view in block.operations):
        if not inner.context.is_registered_operation(inner.name) and unhide(inner.name) not in HISTORIC:
            yield inner
        yield from find_unknown(inner)


def refuse_to_refine(module: Module, now: bool) -> None:
    """Raise `Unsupported`, if sizes are to become known now, at the first of these operations."""
    for op in module.ops():
        if now and op.name in HISTORIC:
            advice = "jaxlib, which infers sizes, does not know it: write the program with static sizes"
            raise Unsupported(f"{op.name} in a program of unknown sizes", advice, op.location)


def refuse_to_serialize(module: Module) -> None:
    """Raise `Unsupported` if a program has one of these operations, which bytecode cannot hold."""
    for op in module.ops():
        if op.name in HISTORIC:
            advice = "jaxlib, which writes bytecode, does not know it: save text instead, in a .mlir file"
            raise Unsupported(f"{op.name} cannot be serialized", advice, op.location)


# Reader of `interpreter.run_parallel`, unknown to jaxlib, as a custom call that is renamed afterwards.

RUN_PARALLEL = "interpreter.run_parallel"
CUSTOM_CALL = "stablehlo.custom_call"
_TARGET = f'call_target_name = "{RUN_PARALLEL}"'
_GRID = re.compile(rf'"{re.escape(RUN_PARALLEL)}"(\([^)]*\)\s*)(<?)\{{')


def as_custom_call(text: str) -> str:
    """Rewrite each `interpreter.run_parallel` as a custom call that has this name as its target."""
    if RUN_PARALLEL not in text:
        return text
    return _GRID.sub(lambda m: f'"{CUSTOM_CALL}"{m[1]}{m[2]}{{{_TARGET}, ', text)


def restore_call(op: str, attributes: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the name and attributes of an operation, restored if it is such a custom call."""
    if op != CUSTOM_CALL or attributes.get("call_target_name") != f'"{RUN_PARALLEL}"':
        return op, dict(attributes)
    kept = {name: text for name, text in attributes.items() if name in ("infeed", "programs")}
    return RUN_PARALLEL, kept


# Reader of the check and interpreter dialects, which no jaxlib knows, as custom calls.
#
# `check.expect_eq %a, %b : T` becomes `"stablehlo.custom_call"(%a, %b) {call_target_name =
# "check.expect_eq"}`, at the same line and column; so does the generic form.

_HEAD = re.compile(r'(?<!["@\w.$])(check\.\w+|interpreter\.(?:probe|print))[ \t]+(?=%)')
_COMMENT = re.compile(r"//[^\n]*")
_SPACE = re.compile(r"\s*")
_OPERAND = re.compile(r"%[\w.$-]+(?:#\d+)?")
_KEY = re.compile(r"(\w+)\s*=\s*")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,{}<>\[\]():]+')
_CHECK = re.compile(r'"(check\.\w+|interpreter\.(?:probe|print))"(\([^)]*\))[ \t]*(?=<?\{|:)')
# The check dialect's own limits; a custom call without limits has wider ones (`spec/op_attributes.py`).
_LIMITS = {
    "check.expect_almost_eq": "tolerance = 1.0e-4 : f64",
    "check.expect_almost_eq_const": "tolerance = 1.0e-4 : f64",
    "check.expect_close": "max_ulp_difference = 1 : i64",
}
_RESULT = {"interpreter.probe"}  # the operations that return their operand


class _Statement(NamedTuple):
    """Parts of one operation in the pretty form; `end` is the position behind it in the text."""

    operands: list[str]
    attributes: list[str]
    types: list[str]
    end: int


def as_custom_calls(text: str) -> str:
    """Rewrite the operations of both dialects as custom calls; lines and all other text stay."""
    if "check." not in text and "interpreter." not in text:
        return text
    text = _from_generic(text)
    parts, done = [], 0
    for head in _HEAD.finditer(text):
        line = text[text.rfind("\n", 0, head.start()) + 1 : head.start()]
        if head.start() < done or _COMMENT.search(line):
            continue
        statement = _statement(text, head.end())
        parts += [text[done : head.start()], _custom_call(head[1], statement)]
        parts.append("\n" * (text.count("\n", head.start(), statement.end) - parts[-1].count("\n")))
        done = statement.end
    return "".join(parts) + text[done:]


def _from_generic(text: str) -> str:
    """Rewrite the operations of both dialects that are in the generic form as custom calls."""
    parts, done = [], 0
    for head in _CHECK.finditer(text):
        at = head.end()
        attributes, end = "", at
        if text[at] != ":":
            end = _closing(text, at)
            attributes = text[at:end].strip("<>").strip()[1:-1].strip()
        fields = _fields(head[1], attributes)
        parts += [text[done : head.start()], f'"stablehlo.custom_call"{head[2]} {{{fields}}} ']
        done = end
    return "".join(parts) + text[done:]


def _fields(name: str, attributes: str) -> str:
    """Return the attributes of the custom call that replaces an operation."""
    limit = _LIMITS.get(name, "")
    given = limit and limit.split()[0] in attributes
    return ", ".join(filter(None, [f'call_target_name = "{name}"', attributes, "" if given else limit]))


def _custom_call(name: str, statement: _Statement) -> str:
    operands, attributes, types, _ = statement
    types = types * len(operands) if len(types) == 1 else types
    results = types[0] if name in _RESULT else "()"
    fields = _fields(name, ", ".join(attributes))
    return f'"stablehlo.custom_call"({", ".join(operands)}) {{{fields}}} : ' + (
        f"({', '.join(types)}) -> {results}"
    )


def _statement(text: str, at: int) -> _Statement:
    """Read `%a, dense<...> : T, key = value {key = value} : T, T` from `at` on."""
    operands, attributes, types = [], [], []
    while True:
        if match := _OPERAND.match(text, at):
            operands.append(match[0])
            at = match.end()
        elif text.startswith("dense", at):
            constant, type, at = _constant(text, at)
            attributes.append(f"value = {constant} : {type}")
            types = [type]
        else:
            field, at = _field(text, at)
            attributes.append(field)
        if not (following := _next(text, at, ",")):
            break
        at = following
    return _rest(text, at, _Statement(operands, attributes, types, at))


def _field(text: str, at: int) -> tuple[str, int]:
    """Return `key = value`, and where it ends."""
    key = _KEY.match(text, at)
    word = _WORD.match(text, key.end()) if key else None
    if key is None or word is None:
        raise _unreadable(text, at)
    return f"{key[1]} = {word[0]}", word.end()


def _rest(text: str, at: int, read: _Statement) -> _Statement:
    """Return the statement with the text after its operands, `{key = value} : T, T` in either order."""
    attributes, types = list(read.attributes), read.types
    while (mark := _skip(text, at)) < len(text) and text[mark] in "{:":
        if text[mark] == "{":
            at = _closing(text, mark)
            attributes += filter(None, [text[mark + 1 : at - 1].strip()])
        else:
            types, at = _types(text, _skip(text, mark + 1))
    return _Statement(read.operands, attributes, types, at)


def _constant(text: str, at: int) -> tuple[str, str, int]:
    """Return `dense<...>` and its type, and where they end."""
    end = _closing(text, text.find("<", at))
    colon = _next(text, end, ":")
    if not colon:
        raise _unreadable(text, at)
    (type, *_), after = _types(text, colon)
    return text[at:end], type, after


def _types(text: str, at: int) -> tuple[list[str], int]:
    """Return the types of a comma-separated list, and where they end."""
    types: list[str] = []
    while True:
        opening = re.compile(r"[!\w.]+").match(text, at)
        if opening is None:
            raise _unreadable(text, at)
        end = _closing(text, opening.end()) if text.startswith("<", opening.end()) else opening.end()
        types.append(text[at:end])
        following = _next(text, end, ",")
        if not following or not re.compile(r"[!a-z]").match(text, following):
            return types, end
        at = following


def _closing(text: str, at: int) -> int:
    """Return the position behind the bracket that closes the one at `at`."""
    if end := closing(text, at):
        return end
    raise _unreadable(text, at)


def _skip(text: str, at: int) -> int:
    """Return the position of the next character that is not space."""
    match = _SPACE.match(text, at)
    assert match
    return match.end()


def _next(text: str, at: int, mark: str) -> int:
    """Return the position behind the mark if it comes next, else 0."""
    at = _skip(text, at)
    return _skip(text, at + 1) if text.startswith(mark, at) else 0


def _unreadable(text: str, at: int) -> Malformed:
    line = text.count("\n", 0, at) + 1
    return Malformed(
        f"line {line}: this operation of the check dialect cannot be read",
        'expected `check.expect_eq %a, %b : tensor<...>`, or "stablehlo.custom_call" with its name as target',
    )
