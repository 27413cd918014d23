"""Reader of `interpreter.run_parallel`, unknown to jaxlib, as a custom call that is renamed afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
