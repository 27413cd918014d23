"""The perplexity of a small decoder of characters: float, and quantized for each target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.report import machine

from decoding.cost import leaves_of
from decoding.model import Tree, export_scores
from decoding.training import SMALL, loss, read_text, split, train, windows
from interp.quantization.constraints import NoQuant
from spec.types import ELEMENT_TYPES

TARGETS = "int8", "int4_weights"
SAMPLES = 8  # windows of the text that was trained on, which calibrate


def save_trained(pages: Path, output: Path, steps: int) -> int:
    """Train the small decoder on pages, and write its weights."""
    text, _ = split(read_text(pages))

    def told(step: int, found: float) -> None:
        if step % 50 == 0 or step == steps:
            print(f"step {step} of {steps}: perplexity {np.exp(found):.2f} of a character", flush=True)

    leaves = leaves_of(train(SMALL, text, steps, progress=told))
    np.savez(output, *leaves)
    return 0


def report(pages: Path, file: Path, number: int) -> int:
    """Print perplexities on the part of the pages that was not trained on; return the exit status."""
    import interp

    trained, held = split(read_text(pages))
    with np.load(file) as stored:
        leaves = [stored[f"arr_{k}"] for k in range(len(stored.files))]
    module = interp.bind(
        interp.load(export_scores(SMALL, like(leaves), SMALL.context)), dict(enumerate(leaves))
    )
    samples = [(x,) for x, _ in list(windows(trained, SMALL.context * 50))[:SAMPLES]]
    samples = [(x[: SMALL.context],) for (x,) in samples]
    pairs = list(windows(held, SMALL.context))[:number]
    print(f"{sum(x.size for x in leaves):,} weights; {len(pairs) * SMALL.context:,} characters held back")
    exact = perplexity(module, pairs)
    print(f"float: perplexity {exact:.3f} of a character")
    for target in TARGETS:
        for constraints in ({}, unquantized_masks(module, samples, target)):
            quantized = interp.quantize(module, samples, target, constraints=constraints)
            found, proof = perplexity(quantized.module, pairs), interp.prove(quantized.module)
            how = ", masks in float" if constraints else ""
            print(f"{target}{how}: perplexity {found:.3f}, {found / exact:.3f} times")
            print(f"  {repr(proof).splitlines()[0]}")
    print(machine())
    return 0


def unquantized_masks(module: Any, samples: list[Any], target: str) -> dict[str, NoQuant]:
    """Return constraints that keep masked scores in float: the number of a mask takes all of a range."""
    import interp

    prepared = interp.quantize(module, samples, target, until="prepare").module
    selected = [op.result for op in prepared.main.body.ops if op.name == "stablehlo.select"]
    floats = [value for value in selected if value.type.element_type == ELEMENT_TYPES["f32"]]
    return {value.name: NoQuant() for value in floats}


def like(leaves: list[np.ndarray]) -> Tree:
    """Return the leaves in the tree of weights that they were."""
    import jax

    from decoding.model import draw

    return jax.tree.unflatten(jax.tree.structure(draw(SMALL)), leaves)


def perplexity(module: Any, pairs: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return exp of the mean loss of a program's scores."""
    import interp

    run = interp.compile(module)
    return float(np.exp(np.mean([float(loss(run(x)[0], following)) for x, following in pairs])))
