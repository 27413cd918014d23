"""The marks of a survey's layers: what a page says about each."""

from __future__ import annotations

from interp.apps.pages.mark import Mark
from interp.apps.surveys.layer import Layer
from interp.engine.stored import storage_range


def marked(layer: Layer) -> Mark:
    """Return what is known of a layer, but for its events."""
    used = None
    if layer.least is not None and layer.most is not None:
        low, high = storage_range(layer.type.element_type)
        used = (layer.least - low) / (high - low), (layer.most - low) / (high - low)
    return Mark(
        elements=layer.elements,
        sqnr=layer.sqnr if layer.elements else None,
        used=used,
        headroom=layer.headroom,
        histogram=layer.histogram,
    )
