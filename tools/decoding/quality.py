"""The perplexity of a small decoder of characters: float, and quantized for targets and sizes of blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.report import machine

from decoding.cost import leaves_of
from decoding.model import MASK, Tree, export_scores
from decoding.training import SMALL, loss, read_text, split, train, windows
from interp.quantization.targets import width

FOUR_BITS = ("int4_weight_only", "int4_weights")
WAYS: list[tuple[str, int | None, dict[str, str]]] = [
    ("int8", None, {"masks": "quantize"}),
    ("int8_weights", None, {}),
    ("int8", None, {}),
    *((target, block, {}) for target in FOUR_BITS for block in (None, 128, 64, 32)),
]
MASKS = -1e9, float(np.finfo(np.float32).min), -1e4, -1000.0, -300.0, -100.0, -np.inf
MASK_ROW = "{:>10} {:>9} {:>9}  {}"
ROW = "{:18} {:>5} {:>10} {:>7} {:>16} {:>11}"
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

    leaves, samples, pairs = read_decoder(pages, file, number)
    module = decoder(leaves)
    print(f"{sum(x.size for x in leaves):,} weights; {len(pairs) * SMALL.context:,} characters held back")
    exact = perplexity(module, pairs)
    print(ROW.format("target", "block", "perplexity", "/ float", "bytes of weights", "sums proved"))
    size = weight_bytes(interp.quantize(module, samples, until="prepare").module)
    print(ROW.format("float", "-", f"{exact:.3f}", "1.000", f"{size:,}", "-"), flush=True)
    for target, block, options in WAYS:
        quantized = interp.quantize(module, samples, target, block=block, **options)
        found, rows = perplexity(quantized.module, pairs), interp.prove(quantized.module).rows
        size, proved = weight_bytes(quantized.module), sum(row.verdict == "proved" for row in rows)
        name = f"{target}, masks too" if options else target
        told = f"{found:.3f}", f"{found / exact:.3f}", f"{size:,}", f"{proved} of {len(rows)}"
        print(ROW.format(name, block or "-", *told), flush=True)
    print(machine())
    return 0


def report_masks(pages: Path, file: Path, number: int) -> int:
    """Print perplexities in int8 of the decoder with other masks, left in float and in a type."""
    import interp

    leaves, samples, pairs = read_decoder(pages, file, number)
    exact = perplexity(decoder(leaves), pairs)
    print(f"float: perplexity {exact:.3f} of {len(pairs) * SMALL.context:,} characters; in int8, / float:")
    print(MASK_ROW.format("mask", "in float", "in a type", "values in float for a mask"))
    for mask in MASKS:
        module = decoder(leaves, mask)
        one, other = (interp.quantize(module, samples, masks=way) for way in ("float", "quantize"))
        told = (f"{perplexity(each.module, pairs) / exact:.3f}" for each in (one, other))
        print(MASK_ROW.format(f"{mask:.4g}", *told, len(one.masks)), flush=True)
    print(machine())
    return 0


def read_decoder(pages: Path, file: Path, number: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Return weights, samples of the text that was trained on, and pairs of windows of what was not."""
    trained, held = split(read_text(pages))
    with np.load(file) as stored:
        leaves = [stored[f"arr_{k}"] for k in range(len(stored.files))]
    samples = [(x[: SMALL.context],) for x, _ in windows(trained, SMALL.context * 50)][:SAMPLES]
    return leaves, samples, list(windows(held, SMALL.context))[:number]


def decoder(leaves: list[Any], mask: float = MASK) -> Any:
    """Return the small decoder with its weights as constants."""
    import interp

    exported = export_scores(SMALL, like(leaves), SMALL.context, mask)
    return interp.bind(interp.load(exported), dict(enumerate(leaves)))


def weight_bytes(module: Any) -> int:
    """Return the bytes of products' constant weights: elements at the bits of their range, scales in f32."""
    constants = {op.result.name: op.result.type for op in module.ops() if op.name == "stablehlo.constant"}
    products = [op for op in module.ops() if op.name == "stablehlo.dot_general"]
    types = {op.operands[1].name: constants.get(op.operands[1].name) for op in products}
    return sum(map(tensor_bytes, filter(None, types.values())))


def tensor_bytes(type: Any) -> int:
    element = type.element_type
    if not type.is_quantized:
        return type.size * element.bits // 8
    return type.size * width(element) // 8 + 4 * len(element.scales)


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
