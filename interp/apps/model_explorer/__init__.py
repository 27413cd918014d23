"""Programs as graphs for Google's Model Explorer, and what runs found as overlays on these graphs."""

from interp.apps.model_explorer.graphs import graphs
from interp.apps.model_explorer.overlays import overlays, save

__all__ = ["graphs", "overlays", "save"]
