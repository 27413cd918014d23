"""Profiles of hardware: how the matrix units of named processors add, each with its source.

A name is `vendor.chip.operands`, then the result where that is not f32, and the instruction where a chip has
several: `nvidia.h100.f16`, `nvidia.b200.e4m3.f16.mma`. It reads as the accumulation that it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from spec.errors import Malformed

RECORDED = "north-numerical-computing/MATLAB-tensor-core, model_validation"
MODELLED = "microsoft/MMA-Sim"
BOTH = "microsoft/MMA-Sim; north-numerical-computing/MATLAB-tensor-core, models"
REPORT = "DeepSeek-V3 Technical Report (arXiv 2412.19437), section 3.3.2"


@dataclass(frozen=True)
class Profile:
    """The accumulation of one instruction of a processor, as text.

    source: `RECORDED` has results of the processor itself; the others state or model them.
    """

    name: str
    text: str
    source: str


def _sync_tree() -> str:
    """Return the tree of `mma.sync` on 32 products of 8-bit floats, where the compiler makes it two of f16.

    The first adds the products 0, 1 of each four, the second 2, 3; the old sum is added last.
    """
    first, second = (" ".join(str(i + 1) for i in range(32) if i % 4 // 2 == part) for part in (0, 1))
    return f"tree(0 ((zero {first}) fused(25) in f16 {second}) fused(25) in f16) in f16"


def _text(products: int, bits: int, result: str = "f32", cut: str = "") -> str:
    """Return the text of so many products a node, beside the old sum; results of f32 are cut."""
    return f"left({products}) fused({bits}) in {result}{cut}" + " toward zero" * (result == "f32")


EIGHTS = "e4m3 e5m2"
AMPERE, HOPPER = "nvidia.a100 nvidia.a2 nvidia.ada nvidia.l40s", "nvidia.h100 nvidia.h200"
ROWS = (  # chips, formats, text, source
    ("nvidia.v100", "f16", _text(4, 23), RECORDED),
    ("nvidia.v100", "f16.f16", _text(4, 23, "f16"), RECORDED),
    ("nvidia.t4", "f16", _text(8, 24), MODELLED),
    ("nvidia.t4", "f16.f16", _text(8, 24, "f16"), MODELLED),
    (AMPERE, "f16 bf16", _text(8, 24), RECORDED),
    (AMPERE, "f16.f16", _text(8, 24, "f16"), RECORDED),
    (AMPERE, "tf32", _text(4, 24), RECORDED),
    ("nvidia.ada nvidia.l40s", EIGHTS, _text(16, 13, cut=" cut 13"), RECORDED),
    ("nvidia.ada", "e4m3.f16 e5m2.f16", _text(16, 13, "f16"), RECORDED),
    (f"{HOPPER} nvidia.b200", "f16 bf16", _text(16, 25), RECORDED),
    (f"{HOPPER} nvidia.b200", "f16.f16", _text(16, 25, "f16"), RECORDED),
    (f"{HOPPER} nvidia.b200", "tf32", _text(8, 25), RECORDED),
    (HOPPER, EIGHTS, _text(32, 13, cut=" cut 13"), RECORDED),
    (HOPPER, "e4m3.f16 e5m2.f16", _text(32, 13, "f16"), MODELLED),
    (
        HOPPER,
        "e4m3.promoted e5m2.promoted",
        "blocks(128: left(32) fused(13) in f32 cut 13 toward zero; left in f32) from zero",
        REPORT,
    ),
    ("nvidia.b200", EIGHTS, _text(32, 25), MODELLED),
    ("nvidia.b200", "e4m3.f16 e5m2.f16", _text(32, 25, "f16"), MODELLED),
    (
        "nvidia.b200",
        "e4m3.mma e5m2.mma",
        "blocks(32: star fused(25) in f32 toward zero; left in f32) from zero",
        RECORDED,
    ),
    (f"{HOPPER} nvidia.b200", "e4m3.f16.mma e5m2.f16.mma", _sync_tree(), RECORDED),
    ("amd.mi100 amd.mi250 amd.mi300", "f32", "left fma in f32", MODELLED),
    ("amd.mi250 amd.mi300", "f64", "left fma in f64", MODELLED),
    ("amd.mi250", "f16 bf16", "blocks(4: balanced; left) in f32 flush inputs flush without init", BOTH),
)


def _profiles() -> Iterator[Profile]:
    for chips, formats, text, source in ROWS:
        for chip in chips.split():
            for form in formats.split():
                yield Profile(f"{chip}.{form}", text, source)


PROFILES = {profile.name: profile for profile in _profiles()}


def profile(text: str) -> Profile:
    """Return the profile of a name; `Malformed` for an unknown one, with those that are near."""
    if (found := PROFILES.get(text.strip())) is None:
        near = get_close_matches(text.strip(), PROFILES, 3, 0.0)
        raise Malformed(
            f"{text.strip()[:80]!r} is not a profile of hardware",
            f"expected such as {', '.join(near)}; docs/reveal.md lists all {len(PROFILES)}",
        )
    return found
