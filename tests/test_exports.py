"""Programs that JAX, PyTorch, TensorFlow and Qwix exported: run, compiled, and equal to their results.

`tools/exports` writes the programs, with arguments and the framework's results, in environments of its own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.execute.xla import options

FOLDER = Path(__file__).resolve().parent.parent / "testdata" / "exports"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".npz")
# The largest difference, as a share of the largest element of a result: frameworks add in other orders, fuse
# and replace divisions. Measured; programs of integers, and int8 programs of PyTorch, are equal.
SHARE = 5e-7
WIDER = {"jax_special": 2e-6, "tensorflow_special": 2e-6}  # lgamma: see the table of docs/agreement.md
EXACT = {"torch_cnn_static_int8", "torch_digits_int8", "torch_mobilenet_block_static_int8"}
QWIX = FOLDER / "qwix_digits_int8.export"
# Programs whose operations are, type by type, among those of others. XLA takes long for all: it compiles
# these without LLVM's optimizations, the others with.
REPEATED = set(
    "jax_average_pool jax_einsum jax_embedding_gradient jax_layer_norm jax_mlp jax_mlp_training_step "
    "jax_rolled tensorflow_cnn tensorflow_einsum tensorflow_mlp torch_cnn torch_mlp torch_transformer".split()
)
# Programs whose linear algebra is LAPACK's, which XLA calls with other blocks.
COMPILED_APART = {
    "jax_linear_algebra": 5e-7,
    "jax_spectra": 5e-7,
    "jax_transforms": 5e-7,
    "jax_complex": 5e-7,
}

SHORT = {
    *"jax_average_pool jax_batch_norm jax_branches jax_collatz jax_cumulative jax_einsum".split(),
    *"jax_embedding_gradient jax_integers jax_layer_norm jax_mlp jax_narrow jax_rolled".split(),
    *"jax_sampled jax_spectra jax_transforms".split(),
}


def marked(path: Path) -> object:
    """Return a parameter that is slow unless XLA compiles the program within a second."""
    return pytest.param(path, marks=[pytest.mark.slow("XLA compiles a network")] * (path.stem not in SHORT))


def arrays(path: Path, kind: str) -> list[np.ndarray]:
    with np.load(path.with_suffix(".npz")) as data:
        return [data[f"{kind}{k}"] for k in range(len([name for name in data if name.startswith(kind)]))]


def share(a: np.ndarray, b: np.ndarray) -> float:
    wide = np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64
    largest = np.max(np.abs(b.astype(wide)), initial=0)
    return float(np.max(np.abs(a.astype(wide) - b.astype(wide)), initial=0) / (largest or 1))


def numbers(result: interp.Tensor, bits: np.ndarray) -> np.ndarray:
    """Return what the framework computed; types that NumPy cannot write were written as their bits."""
    dtype = result.storage.dtype
    return bits.view(dtype) if dtype.isbuiltin != 1 else bits


def test_there_are_exports_of_four_frameworks() -> None:
    assert {path.name.partition("_")[0] for path in FILES} == {"jax", "torch", "tensorflow", "qwix"}
    assert len(FILES) >= 48


@pytest.mark.parametrize("path", [f for f in FILES if f != QWIX], ids=lambda path: path.stem)
def test_an_export_gives_what_its_framework_computed(path: Path) -> None:
    module, args = interp.load(path), arrays(path, "arg")
    assert interp.verify(module, mode="mlir") == []
    results, wanted = interp.run(module, *args), arrays(path, "out")
    assert len(results) == len(wanted)
    figure = 0 if path.stem in EXACT else WIDER.get(path.stem, SHARE)
    for result, bits in zip(results, wanted, strict=True):
        expected = numbers(result, bits)
        is_whole = expected.dtype.kind in "biu"
        assert result.storage.dtype == expected.dtype
        assert share(result.storage, expected) <= (0 if is_whole else figure)


@pytest.mark.parametrize("path", [marked(path) for path in FILES], ids=lambda path: path.stem)
def test_a_compiled_export_has_the_bits_of_the_run(path: Path, request: pytest.FixtureRequest) -> None:
    pytest.importorskip("jax")
    if path.stem in REPEATED:
        request.getfixturevalue("unoptimized")
    module, args = interp.load(path), arrays(path, "arg")
    compiled = [np.asarray(x) for x in interp.compile(module)(*args)]
    for result, x in zip(interp.run(module, *args), compiled, strict=True):
        if path.stem in COMPILED_APART and x.dtype.kind in "fc":
            assert share(x, result.storage) <= COMPILED_APART[path.stem]
        else:
            assert x.tobytes() == result.storage.tobytes()


def test_what_is_compiled_without_optimizations_is_optimized_in_others() -> None:
    kinds = lambda values: [repr(v.type).rpartition("x")[2] for v in values]
    found = {
        path.stem: {(op.name, *kinds(op.operands), *kinds(op.results)) for op in interp.load(path).ops()}
        for path in FILES
    }
    others = set().union(*(found[name] for name in found.keys() - REPEATED))
    assert {name: found[name] - others for name in REPEATED if found[name] - others} == {}


@pytest.mark.slow("XLA compiles a network")
def test_qwixs_program_is_xlas_as_written() -> None:
    """XLA replaces division by a constant unless told otherwise, and moves numbers across a rounding's edge.

    Its composites are read as quantization, and give the bits of their decompositions.
    """
    jax = pytest.importorskip("jax")
    module, (images,), (by_default,) = interp.load(QWIX), arrays(QWIX, "arg"), arrays(QWIX, "out")
    quantized = [op for op in module.ops() if op.name == "stablehlo.uniform_quantize"]
    assert len(quantized) == 8
    assert not any(op.name == "stablehlo.composite" for op in module.ops())
    (logits,) = interp.run(module, images)
    exported = jax.export.deserialize(bytearray(QWIX.read_bytes()))
    as_written = jax.jit(exported.call, compiler_options=options())(images)
    assert logits.storage.tobytes() == np.asarray(as_written).tobytes()
    (labels,) = (np.load(QWIX.with_suffix(".npz"))[name] for name in ["labels"])
    ours, theirs = (int((x.argmax(1) == labels).sum()) for x in (logits.storage, by_default))
    assert min(ours, theirs) >= 95
    assert abs(ours - theirs) <= 1
