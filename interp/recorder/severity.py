"""The severity of events: errors, warnings, and information, which is shown only where it is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from spec.ir import Op

ERROR, WARNING, INFORMATION = "error", "warning", "information"
SEVERITIES = (ERROR, WARNING, INFORMATION)
OVERFLOWS = ("saturate", "wrap", "inf", "nan")  # kinds
# By kind: within an accumulation, and elsewhere.
_BY_KIND = {
    "saturate": (ERROR, WARNING),
    "wrap": (ERROR, WARNING),
    "nan": (ERROR, ERROR),
    "inf": (ERROR, ERROR),
    "lossy_convert": (WARNING, WARNING),
    "empty_window": (WARNING, WARNING),
    "non_identity_init": (WARNING, WARNING),
    "inexact": (INFORMATION, INFORMATION),
    "erratum": (INFORMATION, INFORMATION),
    "unspecified": (INFORMATION, INFORMATION),
}


def severity(kind: str, accumulates: bool, inner: Op, clips: bool = False) -> str:
    """Return the severity of an event at `inner`; `accumulates` if that is at a node of a fold.

    Outside of accumulations unsigned integers wrap by design, as in hashes, and what `clips` at the zero
    point saturates by design, as an activation.
    """
    if clips:
        return INFORMATION
    if kind == "wrap" and not accumulates and inner.results[0].type.storage_type.kind != "signed":
        return INFORMATION
    return _BY_KIND.get(kind, (INFORMATION, INFORMATION))[not accumulates]


def may_be_shown(kinds: Iterable[str]) -> frozenset[str]:
    """Return those of the kinds whose events can be errors or warnings."""
    return frozenset(kind for kind in kinds if set(_BY_KIND[kind]) != {INFORMATION})
