"""Numbers of bits that integers need."""

from __future__ import annotations


def narrowest(least: int, greatest: int, signed: bool) -> int:
    """Return the fewest bits of an integer type that holds both numbers."""
    above, below = max(greatest, 0).bit_length(), max(-least - 1, 0).bit_length()
    return 1 + max(above, below) if signed else max(above, 1)
