"""A flax classifier quantized by Qwix and exported by JAX. Needs flax and qwix."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
import qwix

from exporting.digits import digits


class Classifier(nn.Module):
    """A convolution, a pool, a mean over positions, and a dense layer."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        x = nn.max_pool(x, (2, 2), (2, 2))
        x = nn.relu(nn.Conv(16, (3, 3))(x))
        return nn.Dense(10)(jnp.mean(x, (1, 2)))


def trained(model: nn.Module, images: Any, labels: Any) -> Any:
    """Return the parameters of a classifier after some steps of Adam."""
    params = model.init(jax.random.key(0), images[:1])["params"]
    adam = optax.adam(0.01)

    @jax.jit
    def step(params: Any, state: Any) -> Any:
        def loss(params: Any) -> Any:
            logits = model.apply({"params": params}, images)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

        updates, state = adam.update(jax.grad(loss)(params), state)
        return optax.apply_updates(params, updates), state

    state = adam.init(params)
    for _ in range(300):
        params, state = step(params, state)
    return params


def main(folder: Path) -> None:
    jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(tools|site-packages)/")
    images, labels, judged, wanted = digits()
    images, x = jnp.asarray(images[..., None]), jnp.asarray(judged[..., None])
    model = Classifier()
    params = trained(model, images, jnp.asarray(labels))
    rules = [qwix.QuantizationRule(module_path=".*", weight_qtype="int8", act_qtype="int8")]
    aware = qwix.quantize_model(model, qwix.OdmlQatProvider(rules))
    statistics = aware.init(jax.random.key(0), images)["quant_stats"]
    variables = {"params": params, "quant_stats": statistics}
    _, calibrated = aware.apply(variables, images, mutable="quant_stats")
    provider = qwix.OdmlConversionProvider(rules, params, calibrated["quant_stats"])
    converted = qwix.quantize_model(model, provider)

    def classify(x: Any) -> Any:
        return converted.apply({"params": params, **calibrated}, x)

    exported = jax.export.export(jax.jit(classify))(x)
    path = folder / "qwix_digits_int8.export"
    path.write_bytes(exported.serialize())
    arrays = {"arg0": np.asarray(x), "out0": np.asarray(exported.call(x)), "labels": wanted}
    np.savez_compressed(path.with_suffix(".npz"), **arrays)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
