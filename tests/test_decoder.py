"""The decoder of `tools/decoder.py`, small: unknown sizes and a cache through calls change no bit."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import interp

jax = pytest.importorskip("jax")
sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from decoding import cost, model, quality, shards, training  # noqa: E402

TINY = model.Shape(layers=2, width=16, heads=2, vocabulary=40, context=12)


@pytest.fixture(scope="module")
def weights() -> dict[str, object]:
    """Larger than GPT-2's are drawn, so that tokens differ in more than a few places."""
    return jax.tree.map(lambda x: x * 8 if x.ndim == 2 else x, model.draw(TINY))


def test_no_way_to_run_it_changes_a_bit(weights: dict[str, object]) -> None:
    """A sum over places that are not yet seen adds zeros after all others."""
    assert set(cost.differences(TINY, weights, tokens=8, steps=8).values()) == {0}


def test_scores_are_those_of_xla(weights: dict[str, object]) -> None:
    tokens = np.arange(8, dtype=np.int32) * 5 % 40
    found = interp.run(model.export_scores(TINY, weights, 8), weights, tokens)
    expected = np.asarray(jax.jit(lambda w, t: model.scores(w, t, TINY.heads))(weights, tokens))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-5)


def test_training_lowers_the_loss() -> None:
    """Of a text that repeats: the next character follows from the one before."""
    text = np.tile(np.arange(7, dtype=np.int32), 60)
    losses: list[float] = []
    training.train(
        TINY._replace(vocabulary=7), text, steps=80, batch=8, progress=lambda _, loss: losses.append(loss)
    )
    assert losses[-1] < losses[0] - 0.5


def test_perplexity_of_equal_scores_is_the_number_of_characters() -> None:
    flat = interp.load("""
        func.func @main(%x: tensor<4xi32>) -> tensor<4x5xf32> {
          %0 = stablehlo.constant dense<0.5> : tensor<4x5xf32>
          return %0 : tensor<4x5xf32>
        }
    """)
    text = np.array([0, 1, 2, 3, 4, 0, 1, 2, 3], np.int32)
    pairs = list(training.windows(text, 4))
    assert len(pairs) == 2
    assert quality.perplexity(flat, pairs) == pytest.approx(5, rel=1e-6)


def test_text_is_held_back(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("b\n" * 10)
    (tmp_path / "a.md").write_text("é" * 20)
    text = training.read_text(tmp_path)
    known, held = training.split(text)
    assert (len(known), len(held)) == (37, 4)
    assert "".join(training.CHARACTERS[k] for k in text[:22]) == "?" * 20 + "\nb"


def test_a_divided_block_is_the_block_but_for_the_order_of_two_sums() -> None:
    weights = shards.draw_block(32, 8, 64)
    x = np.random.default_rng(1).standard_normal((5, 32), np.float32)
    whole, divided = (interp.run(program, weights, x) for program in shards.programs(weights, x))
    np.testing.assert_allclose(np.asarray(divided), np.asarray(whole), rtol=1e-5, atol=1e-5)
    assert whole != divided


@pytest.mark.parametrize("devices", [1, 2, 8])
def test_a_divided_product_adds_as_blocks(devices: int) -> None:
    """The parts of 64 products are added each by its device, and their sums in the order of the devices."""
    rng, part = np.random.default_rng(devices), shards.P
    x, w = (rng.standard_normal(shape, np.float32) for shape in ((4, 64), (64, 8)))
    divided = jax.shard_map(
        lambda x, w: jax.lax.psum(x @ w, "i"),
        mesh=shards.AbstractMesh((devices,), ("i",)),
        in_specs=(part(None, "i"), part("i")),
        out_specs=part(),
    )
    (found,) = interp.run(interp.load(jax.export.export(jax.jit(divided))(x, w)), x, w)
    whole = interp.load(jax.jit(lambda x, w: x @ w).lower(x, w))
    assert found == interp.run(whole, x, w, schedule=f"blocks({64 // devices})")[0]
    assert (found == interp.run(whole, x, w)[0]) == (devices == 1)


def test_the_processes_of_a_group_share_a_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would compute the same; a copy of its own keeps what another does with its result apart."""
    from interp.kernels import collectives

    folds: list[object] = []
    fold = collectives.fold_processes
    monkeypatch.setattr(collectives, "fold_processes", lambda *args: folds.append(1) or fold(*args))
    program = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %sum = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      return %sum : tensor<2xf32>
    }"""
    numbers = [[np.float32([k, 10 * k])] for k in range(4)]
    results = [result.tolist() for (result,) in interp.run_parallel(program, numbers, num_replicas=4)]
    assert results == [[1, 10], [1, 10], [5, 50], [5, 50]]
    assert len(folds) == 2
