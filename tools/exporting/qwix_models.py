"""A flax classifier quantized by Qwix and exported by JAX. Needs flax and qwix."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import qwix


class Classifier(nn.Module):
    """A convolution, a pool, a mean over positions, and a dense layer."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        x = nn.relu(nn.Conv(4, (3, 3))(x))
        x = nn.max_pool(x, (2, 2), (2, 2))
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        return nn.Dense(5)(jnp.mean(x, (1, 2)))


def main(folder: Path) -> None:
    x = jnp.asarray(np.random.default_rng(0).normal(size=(4, 8, 8, 1)), jnp.float32)
    rules = [qwix.QuantizationRule(module_path=".*", weight_qtype="int8", act_qtype="int8")]
    model = Classifier()
    trained = qwix.quantize_model(model, qwix.OdmlQatProvider(rules))
    variables = trained.init(jax.random.key(0), x)
    _, calibrated = trained.apply(variables, x, mutable="quant_stats")
    provider = qwix.OdmlConversionProvider(rules, variables["params"], calibrated["quant_stats"])
    converted = qwix.quantize_model(model, provider)

    def classify(x: Any) -> Any:
        return converted.apply({"params": variables["params"], **calibrated}, x)

    exported = jax.export.export(jax.jit(classify))(x)
    path = folder / "qwix_classifier.export"
    path.write_bytes(exported.serialize())
    arrays = {"arg0": np.asarray(x), "out0": np.asarray(exported.call(x))}
    np.savez(path.with_suffix(".npz"), **arrays)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
