"""What a decoder costs here: load, first call, later calls beside XLA's, memory, and its quantization."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from benchmarks.first_runs import status
from benchmarks.report import machine

from decoding.model import GPT2, Shape, Tree, draw, empty_cache, export_scores, export_step

ROUNDS = 5  # of later calls; the least time counts
TURNS = 3  # in which each way is measured in a process of its own; here, too, the least time counts
WAYS = "eager", "compiled", "XLA"
LIMITS = {"eager": 3.0, "compiled": 1.5, "first": 3.0, "load": 1.0, "memory": 1.0}


class Call(NamedTuple):
    """Seconds to load, of the first call and of later ones; GB at the peak."""

    load: float
    first: float
    later: float
    peak: float


def report(tokens: int, layers: int) -> int:
    """Print the cost of scores for tokens, and whether bits agree; return the exit status."""
    shape = GPT2._replace(layers=layers)
    weights = draw(shape)
    with tempfile.TemporaryDirectory() as name:
        folder, leaves = Path(name), leaves_of(weights)
        (folder / "decoder.export").write_bytes(export_scores(shape, weights, tokens).serialize())
        write_weights(folder, leaves)
        turns = [{way: measure(folder, way, tokens) for way in WAYS} for _ in range(TURNS)]
    calls = {way: Call(*map(min, zip(*(turn[way] for turn in turns), strict=True))) for way in WAYS}
    size = sum(x.nbytes for x in leaves) / 1e9
    print(f"{sum(x.size for x in leaves) / 1e6:.0f} million weights, drawn at random; {tokens} tokens")
    peer = calls["XLA"]
    print(f"load: {calls['eager'].load:.2f} s (at most {LIMITS['load']})")
    for way in WAYS[:2]:
        first, later = calls[way].first / peer.first, calls[way].later / peer.later
        print(f"{way}, / XLA's f32: {later:.2f} (at most {LIMITS[way]}); first call {first:.2f} (at most 3)")
        beyond = calls[way].peak - size
        print(f"{way}: peak {calls[way].peak:.2f} GB, {beyond:.2f} more than the weights (at most 1)")
    print(f"XLA: peak {peer.peak:.2f} GB")
    wrong = differences(shape, weights, tokens)
    for what, number in wrong.items():
        print(f"{what}: {number} bit patterns differ")
    print(machine())
    return int(any(wrong.values()))


def leaves_of(weights: Tree) -> list[np.ndarray]:
    import jax

    return jax.tree.leaves(weights)


def write_weights(folder: Path, leaves: list[np.ndarray]) -> None:
    """Write weights as arg0, arg1, ... to a file of safetensors, or of NumPy where that is missing."""
    named = {f"arg{k}": x for k, x in enumerate(leaves)}
    try:
        from safetensors.numpy import save_file
    except ImportError:
        np.savez(folder / "weights.npz", **named)
    else:
        save_file(named, folder / "weights.safetensors")


def measure(folder: Path, way: str, tokens: int) -> Call:
    """Return the cost of a way to run the program, in a process of its own."""
    path = os.pathsep.join(map(os.path.abspath, sys.path))
    command = [sys.executable, "-P", "-m", "decoding.cost", str(folder), way, str(tokens)]
    environment = {**os.environ, "PYTHONPATH": path}
    found = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    return Call(*json.loads(found.stdout))


def call(folder: Path, way: str, tokens: int) -> Call:
    """Run the program in a folder, and return what it cost."""
    import interp
    from interp.engine.inputs import read_members

    (file,) = folder.glob("weights.*")
    arrays = read_members(str(file))
    args: list[Any] = [arrays[f"arg{k}"] for k in range(len(arrays))]
    args.append(np.arange(tokens, dtype=np.int32) * 7)
    run, load = runner(folder / "decoder.export", way)
    if way != "eager":
        import jax

        args = [jax.device_put(x) for x in args]
        arrays.clear()
    times = [seconds(lambda: run(*args)) for _ in range(1 + ROUNDS)]
    assert interp.__name__
    return Call(load, times[0], min(times[1:]), status("VmHWM") / 1e9)


def runner(program: Path, way: str) -> tuple[Callable[..., Any], float]:
    """Return what runs a program, and the seconds that it took to load."""
    import interp

    if way == "XLA":
        import jax
        from jax import export

        exported = export.deserialize(bytearray(program.read_bytes()))
        given = lambda args: jax.tree.unflatten(exported.in_tree, args)[0]
        flat = jax.jit(lambda *args: exported.call(*given(args)))
        return lambda *args: jax.block_until_ready(flat(*args)), 0.0
    start = perf_counter()
    module = interp.load(program)
    took = perf_counter() - start
    if way == "eager":
        return lambda *args: interp.run(module, *args), took
    import jax

    compiled = interp.compile(module)
    return lambda *args: jax.block_until_ready(compiled(*args)), took


def seconds(run: Callable[[], Any]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def differences(shape: Shape, weights: Tree, tokens: int, steps: int = 4) -> dict[str, int]:
    """Return how many scores differ from those of a whole eager pass: compiled, of unknown size, cached."""
    import interp

    leaves, words = leaves_of(weights), np.arange(tokens, dtype=np.int32) * 7
    module = interp.load(export_scores(shape, weights, tokens))
    (whole,) = (x.storage for x in interp.run(module, *leaves, words))
    compiled = np.asarray(interp.compile(module)(*leaves, words)[0])
    (flexible,) = interp.run(interp.load(export_scores(shape, weights, None)), *leaves, words)
    step, cache, cached = interp.load(export_step(shape, weights)), empty_cache(shape), 0
    for place in range(min(steps, tokens)):
        found, *cache = interp.run(step, *leaves, *cache, np.int32(place), words[place])
        cached += count(found.storage, whole[place])
    sizes = "of unknown size, refined"
    found = {"compiled": count(compiled, whole), sizes: count(flexible.storage, whole)}
    return {**found, f"with a cache, {min(steps, tokens)} tokens one by one": cached}


def count(found: np.ndarray, expected: np.ndarray) -> int:
    """Return how many bit patterns differ."""
    bits = f"int{8 * expected.itemsize}"
    return int((np.ascontiguousarray(found).view(bits) != np.ascontiguousarray(expected).view(bits)).sum())


def report_quantized(tokens: int, layers: int, target: str, block: int | None) -> int:
    """Print the time and the memory of quantization, proof and survey of the decoder, and what they say."""
    import interp

    shape = GPT2._replace(layers=layers)
    bound, samples = bound_decoder(shape, tokens)
    clock = process_time()

    def told(what: str, text: str) -> None:
        nonlocal clock
        took, peak = process_time() - clock, status("VmHWM") / 1e9
        print(f"{what}: {took:.1f} s of a processor, peak {peak:.2f} GB so far; {text}", flush=True)
        clock = process_time()

    size = sum(op["value"].type.size * 4 for op in bound.ops() if op.name == "stablehlo.constant") / 1e9
    told("bind", f"weights of {size:.2f} GB in f32")
    quantized = interp.quantize(bound, samples, target, block=block)
    told(f"quantize for {quantized.target.name}", repr(quantized).splitlines()[0])
    proofs = [interp.prove(quantized.module, reading=way) for way in ("dequantize", "integer")]
    told("prove in both readings", "; ".join(repr(proof).splitlines()[0] for proof in proofs))
    survey = interp.survey(quantized.module, samples)
    told("survey", "; ".join(repr(survey).splitlines()[:2]))
    print(machine())
    return int(any(row.verdict == "refuted" for proof in proofs for row in proof.rows))


def bound_decoder(shape: Shape, tokens: int) -> tuple[Any, list[tuple[np.ndarray]]]:
    """Return the decoder with random weights as constants, and two samples."""
    import interp

    weights, rng = draw(shape), np.random.default_rng(1)
    samples = [(rng.integers(0, shape.vocabulary, tokens).astype(np.int32),) for _ in range(2)]
    module = interp.load(export_scores(shape, weights, tokens))
    return interp.bind(module, dict(enumerate(leaves_of(weights)))), samples


if __name__ == "__main__":
    print(json.dumps(call(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))))
