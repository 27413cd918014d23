"""`interpreter.run_parallel`, of a dialect that no jaxlib knows: read as a custom call, and named again."""

from __future__ import annotations

import re
from collections.abc import Mapping

RUN_PARALLEL = "interpreter.run_parallel"
CUSTOM_CALL = "stablehlo.custom_call"
_TARGET = f'call_target_name = "{RUN_PARALLEL}"'
_GENERIC = re.compile(rf'"{re.escape(RUN_PARALLEL)}"(\([^)]*\)\s*)(<?)\{{')


def as_custom_call(text: str) -> str:
    """Return the text with each such operation as a custom call that has its name as target."""
    if RUN_PARALLEL not in text:
        return text
    return _GENERIC.sub(lambda m: f'"{CUSTOM_CALL}"{m[1]}{m[2]}{{{_TARGET}, ', text)


def own_name(op: str, attributes: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the name and attributes of an operation; of such a custom call those that it stands for."""
    if op != CUSTOM_CALL or attributes.get("call_target_name") != f'"{RUN_PARALLEL}"':
        return op, dict(attributes)
    kept = {name: text for name, text in attributes.items() if name in ("infeed", "programs")}
    return RUN_PARALLEL, kept
