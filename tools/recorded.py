#!/usr/bin/env python3
"""Results that GPUs recorded, beside the profiles of `spec.hardware`: `tools/recorded.py PATH`.

PATH is a checkout of north-numerical-computing/MATLAB-tensor-core, whose `model_validation` has sums of
products `d = c + a[0] b[0] + a[1] b[1] + ...` of one instruction of each GPU; or a file that `--sample FILE`
wrote. A row for each set: its profile, the records, how many of them differ, and how many differ from the
exact sum that is rounded once. The exit status is 1 if a record differs from its profile.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from interp.backends import NUMPY, Array
from interp.engine import additions
from interp.engine.files import write_text
from interp.recorder.products import product_terms
from interp.speed.problem import Dot, Geometry
from spec.accumulation import Accumulation
from spec.types import ElementType, element_type

FOLDER = "model_validation"
OPERANDS = {"fp16": "f16", "bf16": "bf16", "tf32": "tf32", "E4M3": "f8E4M3FN", "E5M2": "f8E5M2"}
RESULTS = {"fp32": "f32", "fp16": "f16"}
SAMPLE = 3  # records of each set in a sample


class Records(NamedTuple):
    """The records of one instruction: factors [records, products], old sums and results [records]."""

    gpu: str
    form: str
    result: str
    a: Array
    b: Array
    c: Array
    d: Array

    @property
    def profile(self) -> str:
        """Return the name of the profile; 8-bit floats by the instruction that was recorded."""
        words = ["nvidia", self.gpu.lower(), self.form.lower().replace("fp", "f")]
        words += ["f16"] if self.result == "fp16" else []
        eight = self.form.startswith("E") and self.gpu in ("H100", "H200", "B200")
        emulated = eight and (self.gpu == "B200" or self.result == "fp16")
        return ".".join([*words, *(["mma"] if emulated else [])])

    @property
    def old_sums(self) -> Array:
        """Return c as the instruction got it: in f16 for results of f16, 0 for `wgmma` of 8-bit floats."""
        if self.form.startswith("E") and self.gpu in ("H100", "H200") and self.result == "fp32":
            return np.zeros_like(self.c)
        return _round(self.c, self.type)

    @property
    def type(self) -> ElementType:
        type = element_type(RESULTS[self.result])
        assert type is not None
        return type

    def sums(self, accumulation: str) -> Array:
        """Return the sums along an accumulation, as numbers of the result's type."""
        rows = len(self.a)
        geometry = Geometry(
            lambda x, hole: x[:, None, :], lambda x: x[:, :, None], Dot, lambda sums: sums.reshape(rows)
        )
        operand, single = element_type(OPERANDS[self.form]), element_type("f32")
        assert operand is not None
        assert single is not None
        terms, shape, arrange = product_terms(geometry, (self.a, self.b), [operand, operand])
        init = self.old_sums.reshape(shape)
        parsed = Accumulation.parse(accumulation)
        return _round(
            arrange(additions.sums(parsed, terms._replace(type=single), init, self.type)), self.type
        )

    def differs(self, accumulation: str) -> Array:
        """Return which records differ from sums along an accumulation."""
        return np.asarray(self.sums(accumulation) != self.d)


def _round(x: Array, type: ElementType) -> Array:
    return np.asarray(NUMPY.round_to(x, type)).astype(np.float64)


def sets_of(path: Path) -> Iterator[Records]:
    """Yield the sets of a checkout, or of a sample."""
    if path.is_file():
        yield from _sampled(path)
        return
    root = path if path.name == FOLDER else path / FOLDER
    for file in sorted(root.glob("*/*/d_*.txt")):
        gpu, form, result = file.parts[-3], file.parts[-2], file.stem.rpartition("_")[2]
        a, b = (_numbers((file.parent / f"{x}_{gpu}_{form}.txt").read_text()) for x in "ab")
        c = _numbers((file.parent / f"c_{gpu}_fp32.txt").read_text())[:, 0]
        yield Records(gpu, form, result, a, b, c, _numbers(file.read_text())[:, 0])


def _numbers(text: str) -> Array:
    """Return the numbers of lines of f32, in hexadecimal or, one a line, in binary digits."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    base = 2 if len(lines[0][0]) == 32 else 16
    return np.array([[int(word, base) for word in line] for line in lines], np.uint32).view("f4").astype("f8")


def _sampled(path: Path) -> Iterator[Records]:
    rows = [line.split(" | ") for line in path.read_text().splitlines() if not line.startswith("#")]
    for name in dict.fromkeys(row[0] for row in rows):
        numbers = [[_numbers(part)[0] for part in row[1:]] for row in rows if row[0] == name]
        a, b, c, d = map(np.stack, zip(*numbers, strict=True))
        yield Records(*name.split(), a, b, c[:, 0], d[:, 0])


def sample(path: Path, head: str) -> str:
    """Return a few records of each set, those first that the exact sum, rounded once, does not give."""
    lines = [f"# {line}" for line in head.splitlines()]
    for each in sets_of(path):
        order = np.argsort(~each.differs("star exact"), kind="stable")[:SAMPLE]
        for k in sorted(order.tolist()):
            parts = [each.a[k], each.b[k], each.c[k : k + 1], each.d[k : k + 1]]
            texts = [" ".join(f"{word:08x}" for word in x.astype("f4").view("u4")) for x in parts]
            lines.append(" | ".join([f"{each.gpu} {each.form} {each.result}", *texts]))
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--sample", type=Path, metavar="FILE", help="write a few records of each set")
    parser.add_argument("--commit", default="unknown", help="the commit of the checkout, for the sample")
    options = parser.parse_args()
    if options.sample:
        licence = (options.path / "LICENCE").read_text().strip()
        head = f"north-numerical-computing/MATLAB-tensor-core at {options.commit}, {FOLDER}:\n"
        head += "GPU, operands, result | a | b | c | d, each the bits of a number of f32.\n\n" + licence
        write_text(options.sample, sample(options.path, head))
        return 0
    print(f"{'set':18} {'profile':28} records differ exact")
    total, wrong, number = 0, 0, 0
    for each in sets_of(options.path):
        name = f"{each.gpu} {each.form} {each.result}"
        differ, exact = (int(each.differs(x).sum()) for x in (each.profile, "star exact"))
        print(f"{name:18} {each.profile:28} {len(each.d):7,} {differ:6,} {exact:5,}", flush=True)
        total, wrong, number = total + len(each.d), wrong + differ, number + 1
    print(f"{number} sets, {total:,} records: {wrong:,} differ")
    return int(wrong > 0 or total == 0)


if __name__ == "__main__":
    raise SystemExit(main())
