"""ETDump files of ExecuTorch: the tensors that its Inspector has of each call of an operator.

A file `net.etdp` has times and names; the tensors are in the debug buffer that is written along with it
(`write_etdump_result_to_file(etdump, buffer)`): here the file of the same name that ends in `.bin`. The call
number 3, of `addmm`, is named `3/addmm`, with `/0`, `/1` behind it where it gives several tensors.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from interp.backends import Array
from spec.errors import Location, Malformed, Unsupported

CALL = re.compile(r"native_call_(\w+)(\.\w+)?")  # native_call_addmm.out


def read_etdump(path: Path) -> dict[str, Array]:
    """Return the tensors of an ETDump by the number and the operator of the call.

    Raise `Unsupported` if ExecuTorch is not installed, `Malformed` if there is no debug buffer beside it, or
    if it has no tensors.
    """
    where, buffer = Location(str(path)), path.with_suffix(".bin")
    if not buffer.is_file():
        evidence = f"expected {buffer.name} beside it, as write_etdump_result_to_file writes it"
        raise Malformed("an ETDump without its debug buffer", evidence, where)
    try:
        from executorch.devtools import Inspector
    except ImportError:
        raise Unsupported("an ETDump without ExecuTorch", "pip install executorch torch", where) from None
    try:
        blocks = Inspector(etdump_path=str(path), debug_buffer_path=str(buffer)).event_blocks
    except Exception as error:  # whatever its readers of flatbuffers raise at a damaged file
        raise Malformed("not an ETDump", f"{type(error).__name__}: {error}", where) from error
    events = [event for block in blocks for event in block.events]
    calls = [(found[1], event) for event in events if (found := CALL.fullmatch(event.name))]
    arrays: dict[str, Array] = {}
    for k, (operator, event) in enumerate(calls):
        tensors = [x for x in event.debug_data or () if hasattr(x, "untyped_storage")]
        for j, x in enumerate(tensors):
            arrays[f"{k}/{operator}" + (f"/{j}" if len(tensors) > 1 else "")] = array_of(x)
    if not arrays:
        what_to_do = "run with enable_etdump=True and a debug_buffer_size"
        raise Malformed("an ETDump without tensors", what_to_do, where)
    return arrays


def array_of(tensor: Any) -> Array:
    """Return a tensor of PyTorch as an array of its own; bf16 as its bits."""
    import torch

    x = tensor.detach().contiguous()
    if x.dtype == torch.bfloat16:
        return np.array(x.view(torch.int16).numpy()).view("uint16")
    return np.array(x.numpy())
