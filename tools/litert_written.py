"""Programs written as LiteRT models, beside LiteRT's reference kernels: how many elements differ.

    python tools/litert_written.py FOLDER --litert PYTHON [NAME...]

FOLDER has the networks of `tools/litert_networks.py`. Each is loaded and written again; each float32 one is
also quantized by `interp.quantize`, to i8, and written. LiteRT runs in a process of its own, by a Python that
has ai-edge-litert. Operations without a form are counted.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import interp
import interp.litert

RUNS = 8
SAMPLES = 16
CHILD = """
import sys
from pathlib import Path
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
folder = Path(sys.argv[1])
known = dict(np.load(folder / "x.npz"))
ran = Interpreter(
    str(folder / "model.tflite"), num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF
)
ran.allocate_tensors()
found = {}
for k in range(len(known["x0"])):
    for n, detail in enumerate(ran.get_input_details()):
        ran.set_tensor(detail["index"], known[f"x{n}"][k])
    ran.invoke()
    for n, detail in enumerate(ran.get_output_details()):
        found.setdefault(f"y{n}", []).append(np.array(ran.get_tensor(detail["index"])))
np.savez(folder / "y.npz", **{name: np.stack(arrays) for name, arrays in found.items()})
"""


def draw(module: interp.Module, runs: int, seed: int) -> list[list[np.ndarray]]:
    """Return random arguments of some runs: stored integers, or floats."""
    rng, found = np.random.default_rng(seed), list[list[np.ndarray]]()
    for _ in range(runs):
        row = []
        for value in module.main.inputs:
            storage, shape = value.type.storage_type, value.type.shape
            if storage.kind == "float":
                row.append(rng.standard_normal(shape).astype(storage.numpy))
            else:
                row.append(
                    rng.integers(storage.min_value, storage.max_value + 1, shape).astype(storage.numpy)
                )
        found.append(row)
    return found


def litert(python: str, content: bytes, rows: list[list[np.ndarray]]) -> list[np.ndarray]:
    """Return LiteRT's results of a model, stacked over runs."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.tflite").write_bytes(content)
        np.savez(
            folder / "x.npz", **{f"x{k}": np.stack(each) for k, each in enumerate(zip(*rows, strict=True))}
        )
        subprocess.run([python, "-c", CHILD, name], check=True, capture_output=True)
        known = np.load(folder / "y.npz")
        return [known[key] for key in sorted(known)]


def judge(title: str, module: interp.Module, python: str) -> None:
    """Print how many elements of a written program differ from LiteRT's, and from the program's own."""
    try:
        content = interp.litert.write(module)
    except interp.Unsupported as error:
        print(f"{title}: {error.verdict}", flush=True)
        return
    rows = draw(module, RUNS, 1)
    theirs = litert(python, content, rows)
    again = interp.load(content)
    ways = {} if module.defaults else {"reading": "integer", "recipe": "tflite_double"}
    differ, apart, size = 0, 0, 0
    for k, row in enumerate(rows):
        ours, own = interp.run(again, *row), interp.run(module, *row, **ways)
        for n, x in enumerate(theirs):
            differ += int(np.count_nonzero(np.asarray(ours[n].storage) != x[k]))
            apart += int(np.count_nonzero(np.asarray(own[n].storage) != x[k]))
            size += x[k].size
    print(
        f"{title}: {len(content):,} bytes; {differ} of {size:,} differ, {apart} of the program's own",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--litert", required=True, metavar="PYTHON")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for path in sorted(options.folder.glob("*.tflite")):
        if options.names and path.stem.partition(".")[0] not in options.names:
            continue
        module = interp.load(path)
        if "init" in module.functions:  # a variable has no form
            continue
        judge(path.stem, module, options.litert)
        if path.stem.endswith(".float32"):
            samples = [tuple(row) for row in draw(module, SAMPLES, 0)]
            try:
                made = interp.quantize(module, samples).module
            except interp.InterpError as error:
                print(f"{path.stem} quantized: {error.verdict}", flush=True)
                continue
            judge(f"{path.stem} quantized", made, options.litert)


if __name__ == "__main__":
    main()
