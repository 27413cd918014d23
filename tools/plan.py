#!/usr/bin/env python3
"""Plans a survey of many images in numbers, by a rate measured here, and checks that on a share of them.

    PYTHONPATH=. python tools/plan.py                             1.28 million images of 224 x 224, ResNet-18
    PYTHONPATH=. python tools/plan.py --share 10000 --side 64     another share of them, other images

The images are drawn at random, as are the weights. Seconds are those of a processor, all threads together,
so that other work on the machine does not count. Exit status 1 if the share took more than 1.5 times what was
predicted, or less than two thirds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
from benchmarks.integer_network import Network
from benchmarks.report import machine

import interp

FEW, MORE = 20, 60  # images that the rate is measured on; the first of them have sums step by step
TOLERANCE = 1.5


def main() -> int:
    options = parse()
    network = Network(options.side, options.channels, 1000)
    module = interp.load(network.text)
    args = [value.stored for value in network.arguments]
    measure(module, args, FEW)  # what is compiled once, and kept
    few, more = (measure(module, args, count) for count in (FEW, MORE))
    rate = (more - few) / (MORE - FEW)
    start, count = few - FEW * rate, options.images // options.share
    predicted, found = start + count * rate, measure(module, args, count)
    print(f"ResNet-18, {options.side} x {options.side} pixels: {rate:.3f} s an image, {start:.1f} s to begin")
    ratio, hours = found / predicted, options.images * found / count / 3600
    print(f"{count:,} images: {predicted:.0f} s predicted, {found:.0f} s measured, {ratio:.2f} times")
    shards = max(1, round(hours))
    print(f"{options.images:,} images: {hours:,.0f} hours of a processor; {shards:,} shards take one hour")
    print(machine())
    return int(not 1 / TOLERANCE <= ratio <= TOLERANCE)


def measure(module: Any, args: list[Any], images: int) -> float:
    """Return the seconds of a survey of so many images."""
    begin = process_time()
    assert interp.survey(module, batches(args, images)).samples == images
    return process_time() - begin


def batches(args: list[Any], images: int) -> Iterator[tuple[Any, ...]]:
    """Yield arguments with an image drawn at random in place of the first."""
    rng, (image, *weights) = np.random.default_rng(0), args
    for _ in range(images):
        yield (rng.integers(-128, 128, image.shape, np.int8), *weights)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, number in (("images", 1_280_000), ("share", 1000), ("side", 224), ("channels", 64)):
        parser.add_argument(f"--{name}", type=int, default=number)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
