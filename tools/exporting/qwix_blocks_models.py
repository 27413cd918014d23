"""Dense layers that Qwix quantized with a scale for each tile, as JAX exports them. Needs flax and qwix."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import flax.linen as nn
import jax
import numpy as np
import qwix

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


def main(folder: Path) -> None:
    jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(tools|site-packages)/")
    for name, (sizes, rule) in MODELS.items():
        x = np.random.default_rng(0).standard_normal((3, sizes[0])).astype(np.float32)
        model = Network(sizes[1:])
        params = model.init(jax.random.key(0), x)["params"]
        provider = qwix.PtqProvider([qwix.QuantizationRule(module_path=".*", **rule)])
        quantized = qwix.quantize_model(model, provider)
        types = jax.eval_shape(quantized.init, jax.random.key(0), x)["params"]
        stored = qwix.quantize_params(params, types)
        apply = jax.jit(lambda x, q=quantized, p=stored: q.apply({"params": p}, x))
        exported = jax.export.export(apply)(x)
        path = folder.parent / "blocks" / f"{name}.export"
        path.write_bytes(exported.serialize())
        np.savez_compressed(path.with_suffix(".npz"), arg0=x, out0=np.asarray(exported.call(x)))
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
