"""`interp diagnose`: the results of a device, and perhaps some of its other values, in files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.diagnosing.diagnosis import Diagnosis
    from spec.ir import Module


def diagnosis(
    module: Module, arguments: Sequence[Any], options: argparse.Namespace, chosen: dict[str, Any], bar: Any
) -> Diagnosis:
    """Return the diagnosis of the arrays in the options' files; write it as JSON if that is asked for."""
    from interp.diagnosing.diagnose import LIMIT, diagnose
    from interp.engine.files import write_text
    from interp.engine.inputs import read_array

    results = [read_array(file) for file in options.results]
    values = {name: read_array(file) for name, file in map(_named, options.intermediate)}
    found = diagnose(module, arguments, results, values, **chosen, limit=options.limit or LIMIT, progress=bar)
    if options.json:
        write_text(options.json, found.to_json())
    return found


def _named(text: str) -> tuple[str, str]:
    """Return the name of a value and the file that has it, from `%sum=sum.npy`."""
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise Malformed(f"--intermediate {text}", "expected NAME=FILE: %sum=sum.npy, sum=values.npz:sum")
    return name, file
