"""Google's Model Explorer: a program as its graphs, and what a trace or a survey found as its node data."""

from interp.model_explorer.graphs import graphs
from interp.model_explorer.overlays import overlays, save

__all__ = ["graphs", "overlays", "save"]
