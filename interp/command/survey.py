"""`interp survey`: a program on files that hold all samples of a data set."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from spec.errors import Malformed

if TYPE_CHECKING:
    from spec.ir import Module


def lines(
    module: Module, arrays: Sequence[Any], options: argparse.Namespace, chosen: dict[str, Any], progress: Any
) -> Iterator[str]:
    """Yield the lines to print for a program on arrays of all samples; write the files that are asked for."""
    from interp.command import explorer
    from interp.engine.files import write_text
    from interp.engine.inputs import read_array
    from interp.surveys.study import batched
    from interp.surveys.survey import survey

    labels = read_array(options.labels) if options.labels else None
    if (labels is None) != (options.metric is None):
        raise Malformed("a metric and its labels go together", "give --metric accuracy --labels FILE.npy")
    found = survey(
        module,
        list(batched(module, *arrays, targets=labels, function=options.function)),
        options.metric,
        options.against,
        ranking=options.ranking,
        progress=progress,
        **chosen,
    )
    yield repr(found)
    if options.json:
        write_text(options.json, found.to_json())
    if options.csv:
        write_text(options.csv, found.to_csv())
    if options.explorer:
        yield explorer.written(module, found, options)
