"""Dense layers that Qwix quantized with a scale for each tile, as JAX exports them. Needs flax and qwix.

One of the networks is trained, to tell digits apart; its file of arrays has the float weights, too.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import flax.linen as nn
import jax
import numpy as np
import optax
import qwix

from exporting.digits import digits

# Names of files; the inputs and outputs of the layers; the rule: weights alone, in tiles that are dequantized
# for a product of floats; also data, the same; and tiles that are products of integers, since they are large.
MODELS: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "qwix_weights": ((64, 16, 4), {"weight_qtype": "int4", "tile_size": 16}),
    "qwix_small_tiles": ((64, 4), {"weight_qtype": "int4", "act_qtype": "int8", "tile_size": 16}),
    "qwix_large_tiles": ((256, 4), {"weight_qtype": "int8", "act_qtype": "int8", "tile_size": 128}),
}


class Network(nn.Module):
    """Dense layers with relu between them."""

    features: tuple[int, ...]

    @nn.compact
    def __call__(self, x: Any) -> Any:
        for k, size in enumerate(self.features):
            x = nn.Dense(size)(x if k == 0 else nn.relu(x))
        return x


def trained(model: nn.Module, x: Any, labels: Any) -> Any:
    """Return the parameters of a classifier after some steps of Adam."""
    params = model.init(jax.random.key(0), x[:1])["params"]
    adam = optax.adam(0.005)

    @jax.jit
    def step(params: Any, state: Any) -> Any:
        def loss(params: Any) -> Any:
            logits = model.apply({"params": params}, x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

        updates, state = adam.update(jax.grad(loss)(params), state)
        return optax.apply_updates(params, updates), state

    state = adam.init(params)
    for _ in range(400):
        params, state = step(params, state)
    return params


def write(
    path: Path, model: nn.Module, params: Any, x: np.ndarray, rule: dict[str, Any], **more: Any
) -> None:
    """Write the export of a model that Qwix quantized, and what it computes."""
    quantized = qwix.quantize_model(
        model, qwix.PtqProvider([qwix.QuantizationRule(module_path=".*", **rule)])
    )
    types = jax.eval_shape(quantized.init, jax.random.key(0), x)["params"]
    stored = qwix.quantize_params(params, types)
    exported = jax.export.export(jax.jit(lambda x: quantized.apply({"params": stored}, x)))(x)
    path.write_bytes(exported.serialize())
    np.savez_compressed(path.with_suffix(".npz"), arg0=x, out0=np.asarray(exported.call(x)), **more)
    print(path.name, path.stat().st_size)


def main(folder: Path) -> None:
    jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(tools|site-packages)/")
    blocks = folder.parent / "blocks"
    for name, (sizes, rule) in MODELS.items():
        x = np.random.default_rng(0).standard_normal((3, sizes[0])).astype(np.float32)
        model = Network(sizes[1:])
        write(blocks / f"{name}.export", model, model.init(jax.random.key(0), x)["params"], x, rule)
    images, labels, judged, wanted = digits()
    x, model = images.reshape(len(images), -1), Network((32, 10))
    params = trained(model, x, labels)
    layers = [params[f"Dense_{k}"] for k in range(2)]
    arrays = {f"{kind}{k}": np.asarray(x[kind]) for k, x in enumerate(layers) for kind in ("kernel", "bias")}
    rule = {"weight_qtype": "int4", "tile_size": 16}
    judged = judged.reshape(len(judged), -1)
    path = blocks / "qwix_digits_int4.export"
    write(path, model, params, judged, rule, labels=wanted, samples=x[:128], **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
