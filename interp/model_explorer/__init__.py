"""Programs as graphs for Google's Model Explorer, and what runs found as overlays on these graphs."""

from interp.apps.model_explorer import graphs, overlays, save

__all__ = ["graphs", "overlays", "save"]
