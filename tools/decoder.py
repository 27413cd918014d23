#!/usr/bin/env python3
"""A decoder of GPT-2's architecture in this interpreter: its cost beside XLA's, its quantization, its text.

    PYTHONPATH=. python tools/decoder.py cost                   GPT-2's 124 million weights, drawn at random
    PYTHONPATH=. python tools/decoder.py train -o small.npz     a small one on the documentation; ten minutes
    PYTHONPATH=. python tools/decoder.py perplexity small.npz   its perplexity in float and quantized
    PYTHONPATH=. python tools/decoder.py masks small.npz        the same in int8, with other masks
    PYTHONPATH=. python tools/decoder.py quantize               GPT-2's, quantized, proved and surveyed
    PYTHONPATH=. python tools/decoder.py shards                 a block on 8 devices beside the block on one

Weights are arguments, read from a .safetensors file where that is installed. Each figure is a ratio within
one run. Exit status 1 if bits differ that should not: with a cache, with unknown sizes, or compiled.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.threads import limit_threads

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    options = parse()
    if options.command == "shards":
        limit_threads(1)
        from decoding import shards

        return shards.report(options.tokens, options.width, options.inner)
    from decoding import cost, quality

    if options.command == "cost":
        return cost.report(options.tokens, options.layers)
    if options.command == "train":
        return quality.save_trained(ROOT / "docs", Path(options.output), options.steps)
    if options.command == "perplexity":
        return quality.report(ROOT / "docs", Path(options.weights), options.windows)
    if options.command == "masks":
        return quality.report_masks(ROOT / "docs", Path(options.weights), options.windows)
    return cost.report_quantized(options.tokens, options.layers, options.target, options.block)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    measured = commands.add_parser("cost", help="load, first call, eager, compiled, memory")
    quantized = commands.add_parser("quantize", help="quantize, prove and survey")
    for command in (measured, quantized):
        command.add_argument("--tokens", type=int, default=64)
        command.add_argument("--layers", type=int, default=12)
    quantized.add_argument("--target", default="int8")
    quantized.add_argument("--block", type=int, help="weights that share a scale")
    divided = commands.add_parser("shards", help="a block divided among 8 devices")
    for name, size in (("tokens", 256), ("width", 1024), ("inner", 4096)):
        divided.add_argument(f"--{name}", type=int, default=size)
    trained = commands.add_parser("train", help="train the small decoder")
    trained.add_argument("-o", "--output", required=True)
    trained.add_argument("--steps", type=int, default=1200)
    judged = commands.add_parser("perplexity", help="perplexity on pages that it was not trained on")
    hidden = commands.add_parser("masks", help="perplexity in int8 with other masks of scores")
    for command in (judged, hidden):
        command.add_argument("weights")
        command.add_argument("--windows", type=int, default=24, help="windows of 128 characters")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
