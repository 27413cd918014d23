"""TensorFlow functions as the StableHLO that its bridge to XLA writes, with what TensorFlow computes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # the same sums on every machine

import numpy as np
import tensorflow as tf

# Places in the file system of whoever runs this are nobody's business.
PLACE = re.compile(r' loc\((?:[^()"]|"[^"]*")*\)|^#loc.*\n', re.MULTILINE)
RNG = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def classifier() -> tf.keras.Model:
    """Return convolutions with batch norm and pooling, and a dense layer."""
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((8, 8, 1)),
            layers.Conv2D(4, 3, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.DepthwiseConv2D(3, strides=2, padding="same", activation="relu6"),
            layers.AveragePooling2D(2),
            layers.Flatten(),
            layers.Dense(5, activation="softmax"),
        ]
    )


def dense() -> tf.keras.Model:
    """Return dense layers with ReLU, GELU (`erf`) and layer norm."""
    layers = tf.keras.layers
    gelu = lambda x: tf.nn.gelu(x, approximate=False)
    return tf.keras.Sequential(
        [
            layers.Input((6,)),
            layers.Dense(8, activation="relu"),
            layers.Dense(8, activation=gelu),
            layers.LayerNormalization(),
            layers.Dense(3),
        ]
    )


def recurrent(layer: type) -> tf.keras.Model:
    return tf.keras.Sequential([tf.keras.layers.Input((5, 3)), layer(4, return_sequences=True)])


def training_step(model: tf.keras.Model) -> Callable[..., Any]:
    """Return a step of gradient descent, which gives the loss and the new weights."""

    def step(x: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(x, training=True))
            loss = tf.reduce_mean(losses)
        weights = model.trainable_variables
        gradients = tape.gradient(loss, weights)
        return loss, *(w - 0.1 * g for w, g in zip(weights, gradients, strict=True))

    return step


def ranked(x: Any) -> Any:
    values, places = tf.math.top_k(x, 3)
    return values, places, tf.sort(x, axis=0), tf.argsort(x), tf.gather(x, [1, 0, 1], axis=1)


def special(x: Any) -> Any:
    return tf.math.erf(x), tf.math.tan(x), tf.math.acos(x), tf.math.asinh(x), tf.math.lgamma(2 + x)


def collatz(n: Any) -> Any:
    """Count the steps to 1."""
    step = lambda n, k: (tf.where(n % 2 == 0, n // 2, 3 * n + 1), k + 1)
    return tf.while_loop(lambda n, k: n > 1, step, (n, tf.constant(0)))


def functions() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Return the functions and their arguments, by name."""
    tf.keras.utils.set_random_seed(0)
    cnn, labels = classifier(), np.int32([0, 2, 1, 2])
    for weights in cnn.layers[1].variables:  # as if trained: variances are positive
        weights.assign(np.abs(normal(*weights.shape)) + 0.5)
    return {
        "mlp": (dense(), (normal(4, 6),)),
        "mlp_training_step": (training_step(dense()), (normal(4, 6), labels)),
        "cnn": (cnn, (normal(2, 8, 8, 1),)),
        "gru": (recurrent(tf.keras.layers.GRU), (normal(2, 5, 3),)),
        "lstm": (recurrent(tf.keras.layers.LSTM), (normal(2, 5, 3),)),
        "ranked": (ranked, (normal(4, 5),)),
        "special": (special, (np.tanh(normal(3, 5)),)),
        "collatz": (collatz, (np.int32(27),)),
        "einsum": (lambda x, y: tf.einsum("bij,bkj->bik", x, y), (normal(2, 3, 4), normal(2, 5, 4))),
    }


def exported(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, list[np.ndarray]]:
    """Return a function as text, and all arguments of the program: also the variables that it reads."""
    compiled = tf.function(function, jit_compile=True, autograph=False)
    types = [tf.TensorSpec(np.shape(x), np.asarray(x).dtype) for x in args]
    text = compiled.experimental_get_compiler_ir(*types)(stage="stablehlo")
    concrete = compiled.get_concrete_function(*types)
    values = {id(v.handle): v.numpy() for v in concrete.graph.variables}
    captured = [values[id(x)] if id(x) in values else x.numpy() for x in concrete.captured_inputs]
    return PLACE.sub("", text), [*map(np.asarray, args), *captured]


def main(folder: Path) -> None:
    for name, (function, args) in functions().items():
        text, arguments = exported(function, args)
        results = tf.nest.flatten(tf.function(function, autograph=False)(*map(tf.constant, args)))
        path = folder / f"tensorflow_{name}.stablehlo"  # text, but no case of the suite
        path.write_bytes(text.encode())
        arrays = {f"arg{k}": x for k, x in enumerate(arguments)}
        arrays |= {f"out{k}": x.numpy() for k, x in enumerate(results)}
        np.savez_compressed(path.with_suffix(".npz"), **arrays)
        print(path.name, path.stat().st_size, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
