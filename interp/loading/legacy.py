"""Support for the dialect `mhlo` of older exporters, in text and as targets of custom calls."""

from __future__ import annotations

import re
from typing import Any

from jaxlib.mlir import ir

# Operations of mhlo that have another name today; a copy is an identity.
_RENAMED = {"copy": "optimization_barrier", "topk": "top_k"}
_CHLO = "acos acosh asin asinh atan atanh cosh erf mulhi ragged_dot scan sinh topk"
_AS_CHLO = frozenset(_CHLO.split())
_TYPE = r"tensor<(?:[^<>]|<[^<>]*>)*>"
# mhlo writes one type where chlo wants those of the operands and of the result.
_SHORT = re.compile(rf"\bmhlo\.({'|'.join(_AS_CHLO)})([ \t]+%[^:\n]*:[ \t]*)({_TYPE})(?![ \t]*(?:->|,|\)))")
_TOP_K = re.compile(r"\bmhlo\.topk\((%[\w.$#-]+),\s*k\s*=\s*(\d+)(?:,\s*largest\s*=\s*true)?\)")
_GENERIC = re.compile(r'"mhlo\.(\w+)"(?=\s*\()')
_PRETTY = re.compile(r"((?:^|=|\{|\bapplies)[ \t]*)mhlo\.(\w+)(?=[ \t(])(?!\s*=)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"([#!])mhlo(?=[.<])")


def today(name: str) -> str:
    """Return today's name of an operation of mhlo: `chlo.top_k` for topk, `stablehlo.add` for add."""
    return f"{'chlo' if name in _AS_CHLO else 'stablehlo'}.{_RENAMED.get(name, name)}"


def rename_mhlo(text: str) -> str:
    """Return the text with today's names of mhlo's operations, types and enumerations.

    Attributes such as `mhlo.sharding`, which operations of other dialects carry, keep their names.
    """
    if "mhlo" not in text:
        return text
    text = _SHORT.sub(_with_result, text)
    text = _TOP_K.sub(r"chlo.top_k(\1, k = \2)", text)
    text = _GENERIC.sub(lambda m: f'"{today(m[1])}"', text)
    text = _PRETTY.sub(lambda m: m[1] + today(m[2]), text)
    return _ATTRIBUTE.sub(r"\1stablehlo", text)


def _with_result(match: re.Match[str]) -> str:
    name, between, type = match.groups()
    types = ", ".join([type] * (between.count(",") + 1))
    return f"{today(name)}{between}{types} -> {type}"


def is_legacy(target: str) -> bool:
    """Return whether the target of a custom call is the name of an operation."""
    dialect, _, name = target.partition(".")
    return dialect in ("mhlo", "chlo") and bool(name) and "." not in name


def from_custom_call(call: Any) -> None:
    """Replace a custom call by the operation that its target names, if there is one that fits."""
    dialect, _, name = ir.StringAttr(call.attributes["call_target_name"]).value.partition(".")
    successor = today(name) if dialect == "mhlo" else f"chlo.{name}"
    found = _attributes(call)
    if not call.context.is_registered_operation(successor) or not _fits(successor, found):
        return
    types = [result.type for result in call.results]
    with ir.InsertionPoint(call):
        new = ir.Operation.create(successor, types, list(call.operands), found, loc=call.location)
    try:
        new.verify()
    except ir.MLIRError:  # the custom call remains, and is refused by its name
        new.erase()
        return
    for old, result in zip(call.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    call.erase()


def _attributes(call: Any) -> dict[str, Any]:
    """Return the attributes of the operation, which the custom call has in one dictionary."""
    for name in ("mhlo.attributes", "stablehlo.attributes", "composite_attributes"):
        if name in call.attributes:
            held = ir.DictAttr(call.attributes[name])
            return {held[k].name: held[k].attr for k in range(len(held))}
    return {}


def _fits(successor: str, attributes: dict[str, Any]) -> bool:
    """Return whether the successor can mean the same; remove an attribute that it does not have."""
    if successor != "chlo.top_k":
        return True
    largest = attributes.pop("largest", None)
    return largest is None or ir.BoolAttr(largest).value
