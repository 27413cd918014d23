"""A device that multiplies matrices of integers in a narrow accumulator: a function, a command, and a server.

    python narrow_dot.py BITS MODULE RESULTS IN0.npy IN1.npy       the command of docs/conformance.md
    python narrow_dot.py BITS                                      the server
    python narrow_dot.py BITS slow|dead|garbled|...                a server that fails at every third case

BITS 0 sums without a limit. It does not import interp, as other devices do not.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import IO

import numpy as np

PRETTY = r"%\w+, %\w+, contracting_dims = \[1\] x \[0\]"
GENERIC = r'"\(%\w+, %\w+\) \{.*lhs_contracting_dimensions = \[1\], rhs_contracting_dimensions = \[0\]>\}'
DOT = re.compile(rf"stablehlo.dot_general(?: {PRETTY}|{GENERIC})\s*: \((.*?)\) -> (.*)")
TENSOR = re.compile(r"tensor<((?:\d+x)*)(!quant.uniform<(\w+):f32, ([\d.e+-]+)(?::(-?\d+))?>|\w+)>")


class NotSupportedError(Exception):
    """Exception: the program is beyond this device."""


def clamp(total: int, bits: int) -> int:
    return max(-(1 << bits - 1), min(total, (1 << bits - 1) - 1)) if bits else total


def dot(text: str, args: Sequence[np.ndarray], bits: int) -> list[np.ndarray]:
    """Return the product of two matrices, every sum of which is clamped to some bits."""
    program = "".join(line for line in text.splitlines(True) if not line.startswith("//"))
    found = DOT.search(program)
    if not found or re.findall(r"(?<!#)stablehlo\.(\w+)", program) != ["dot_general"]:
        raise NotSupportedError("only dot_general of two matrices")
    known = TENSOR.findall(found[1] + found[2])
    if len(known) != 3 or any(not (t[2] or t[1]).startswith("i") for t in known) or args[1].ndim != 2:
        raise NotSupportedError("only matrices of signed integers")
    x, w, result = known
    scale = float(x[3] or 1) * float(w[3] or 1) / float(result[3] or 1)
    terms = [[int(v) - int(side[4] or 0) for v in a.ravel()] for a, side in zip(args, (x, w), strict=True)]
    (rows, inner), columns = args[0].shape, args[1].shape[1]
    sums = np.zeros((rows, columns), object)
    for i in range(rows):
        for j in range(columns):
            for k in range(inner):
                product = terms[0][i * inner + k] * terms[1][k * columns + j]
                sums[i, j] = clamp(sums[i, j] + product, bits)
    width = int(re.sub(r"\D", "", result[2] or result[1]))
    dtype = f"int{max(width, 8)}"
    if not result[2]:  # plain integers wrap
        return [((sums + (1 << width - 1)) % (1 << width) - (1 << width - 1)).astype(dtype)]
    stored = [clamp(round(total * scale) + int(result[4] or 0), width) for total in sums.ravel()]
    return [np.array(stored, dtype).reshape(sums.shape)]


def run_command(run: Callable[[str, list[np.ndarray]], list[np.ndarray]], words: Sequence[str]) -> int:
    module, results, *inputs = words
    try:
        with open(module) as file:
            outs = run(file.read(), list(map(np.load, inputs)))
    except NotSupportedError as error:
        print(error, file=sys.stderr)
        return 2
    for k, x in enumerate(outs):
        np.save(f"{results}/out{k}.npy", x)
    return 0


def serve(run: Callable[[str, list[np.ndarray]], list[np.ndarray]], fault: str = "") -> None:
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    replies.write(b"interp-server 1\n" if fault != "version" else b"interp-server 2\n")
    replies.flush()
    count = 0
    while line := requests.readline():
        _, size, number = line.split()
        text = requests.read(int(size)).decode()
        args = [read_array(requests) for _ in range(int(number))]
        count += 1
        if fault and count == 3:
            fail(fault, replies)
        try:
            outs = run(text, args)
            replies.write(b"results %d\n" % len(outs))
            for x in outs:
                replies.write(" ".join([x.dtype.name, *map(str, x.shape)]).encode() + b"\n" + x.tobytes())
        except NotSupportedError as error:
            message = str(error).encode()
            replies.write(b"unsupported %d\n" % len(message) + message)
        replies.flush()


def read_array(stream: IO[bytes]) -> np.ndarray:
    name, *sizes = stream.readline().decode().split()
    dtype, shape = np.dtype(name), tuple(map(int, sizes))
    return np.frombuffer(stream.read(dtype.itemsize * prod(shape)), dtype).reshape(shape)


def fail(fault: str, replies: IO[bytes]) -> None:
    """Fail as a server may."""
    if fault == "slow":
        time.sleep(600)
    if fault == "dead":
        sys.exit("out of memory")
    words = {
        "garbled": b"hello\n",
        "short": b"results 1\nint32 3 1\n1234",
        "large": b"results 1\nint8 99999999999\n",
    }
    replies.write(words[fault])
    replies.flush()
    if fault == "short":
        sys.exit(3)


def main() -> int:
    bits, *rest = sys.argv[1:]
    run = partial(dot, bits=int(bits))
    if len(rest) < 2:
        serve(run, *rest)
        return 0
    return run_command(run, rest)


if __name__ == "__main__":
    sys.exit(main())
