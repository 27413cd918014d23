"""Node data of a survey: overflows, error, noise and headroom of each layer over all samples."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from interp.apps.model_explorer.nodes import COUNTS, ERRORS, NOISE, ROOM, Kind, Nodes, color_nodes, worst
from interp.apps.surveys.layer import Layer
from interp.apps.surveys.result import Survey
from interp.backends import fl
from spec.types import QuantizedType


def survey_kinds(survey: Survey, nodes: Nodes) -> Iterator[Kind]:
    """Yield the kinds of node data of a survey. The rows of the program's results have no node."""
    layers = [(nodes.find(x.name, x.op), x) for x in survey.layers if x.how != "result"]
    of = {x.name: node for node, x in layers}
    ranked = survey.ranking.layers if survey.ranking else ()
    alone = ((of[x.layer], x.alone.sqnr) for x in ranked if x.layer in of)  # arguments are in no layer
    yield color_nodes("alone", worst(alone, min), NOISE)
    rooms = ((node, x.headroom) for node, x in layers if x.headroom is not None)
    yield color_nodes("headroom", worst(rooms, min), ROOM)
    known = dict(zip((x.name for x in survey.layers), survey.rows(), strict=True))
    counts = ((node, known[x.name]["overflows"]) for node, x in layers)
    yield color_nodes("overflows", worst(counts), COUNTS, counts=True)
    errors = ((node, error) for node, x in layers if (error := worst_steps(x)) is not None)
    yield color_nodes("error", worst(errors), ERRORS)
    yield color_nodes("sqnr", worst(((node, x.sqnr) for node, x in layers), min), NOISE)


def worst_steps(layer: Layer) -> float | None:
    """Return the largest error of one number in steps of the largest scale; None if it is not quantized."""
    element = layer.type.element_type
    if not isinstance(element, QuantizedType):
        return None
    error = 0.0 if layer.worst is None else layer.worst.error
    return inf if error == inf else error / max(float(fl(s, element.expressed_type)) for s in element.scales)
