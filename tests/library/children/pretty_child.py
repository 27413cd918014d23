"""Printer of the pretty form of programs that jaxlib refuses: it builds them without verification.

Arguments: a folder for what is printed, and files in the generic form. jaxlib's printers crash on some of
these programs, so each is printed in a process of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from jaxlib.mlir import ir

from interp.loading import reader


def pretty(text: str) -> str:
    """Return the pretty form of a text in the generic form."""
    with ir.Context() as plain:
        reader.load_dialects(plain, False)
        plain.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
    with ir.Context() as context, ir.Location.unknown(context):
        reader.load_dialects(context, True)
        made = ir.Module.create()
        with ir.InsertionPoint(made.body):
            for view in module.body.operations:
                rebuild(view.operation, {})
        return str(made.operation.get_asm(assume_verified=True))


def rebuild(op: Any, values: dict[Any, Any]) -> None:
    """Create an operation of another context again, with everything inside, in the current one."""
    attributes = {name: ir.Attribute.parse(str(op.attributes[name])) for name in op.attributes}
    types = [ir.Type.parse(str(result.type)) for result in op.results]
    operands = [values[operand] for operand in op.operands]
    new = ir.Operation.create(op.name, types, operands, attributes, regions=len(op.regions))
    values.update(zip(op.results, new.results, strict=True))
    for region, copy in zip(op.regions, new.regions, strict=True):
        for block in region.blocks:
            types = [ir.Type.parse(str(argument.type)) for argument in block.arguments]
            inside = copy.blocks.append(*types, arg_locs=[ir.Location.unknown()] * len(types))
            values.update(zip(block.arguments, inside.arguments, strict=True))
            with ir.InsertionPoint(inside):
                for view in block.operations:
                    rebuild(view.operation, values)


def main(folder: Path, files: list[str]) -> None:
    for k, file in enumerate(files):
        if not (child := os.fork()):
            (folder / f"{k}.mlir").write_text(pretty(Path(file).read_text()))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
