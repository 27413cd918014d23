"""Products of matrices that take their scales as operands, as JAX exports them, without a GPU."""

from __future__ import annotations

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import export

jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(tools|site-packages)/")
CALL = export.DisabledSafetyCheck.custom_call("__op$block_scaled_dot")


def empty(shape: tuple[int, ...], dtype: object) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


def write(path: Path, function: object, *arguments: jax.ShapeDtypeStruct, platform: str = "cuda") -> None:
    """Write the export of a function for one platform."""
    checks = [CALL] if platform == "cuda" else []
    exported = export.export(jax.jit(function), platforms=[platform], disabled_checks=checks)(*arguments)
    path.write_bytes(exported.serialize())


def main() -> None:
    folder = Path(sys.argv[1]).parent / "blocks"
    f8, e8m0 = jnp.float8_e4m3fn, jnp.float8_e8m0fnu
    scaled = lambda lhs, rhs, s, t: jax.lax.scaled_dot(lhs, rhs, lhs_scale=s, rhs_scale=t)
    types = empty((2, 64), f8), empty((64, 3), f8), empty((2, 2), e8m0), empty((2, 3), e8m0)
    write(folder / "scaled_dot.export", scaled, *types, platform="cpu")
    product = lambda a, b, s, t: jax.nn.scaled_matmul(a, b, s, t, preferred_element_type=jnp.float32)
    types = empty((1, 2, 64), f8), empty((1, 3, 64), f8), empty((1, 2, 2), e8m0), empty((1, 3, 2), e8m0)
    write(folder / "scaled_matmul.export", product, *types)
    nvfp4 = jax.nn.get_scaled_dot_general_config("nvfp4", global_scale=jnp.float32(0.5))
    dimensions = (((2,), (2,)), ((0,), (0,)))
    general = lambda a, b: jax.nn.scaled_dot_general(a, b, dimensions, configs=[nvfp4] * 3)
    write(
        folder / "scaled_dot_general_nvfp4.export", general, *[empty((1, n, 32), jnp.float32) for n in (2, 3)]
    )
    mxfp8 = jax.nn.get_scaled_dot_general_config("mxfp8")
    general = lambda a, b: jax.nn.scaled_dot_general(a, b, dimensions, configs=[mxfp8] * 3)
    write(
        folder / "scaled_dot_general_mxfp8.export", general, *[empty((1, n, 64), jnp.float32) for n in (2, 3)]
    )


if __name__ == "__main__":
    main()
