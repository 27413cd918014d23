"""Architectures of small networks, with random weights, which `tools/litert_networks.py` converts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf
from keras import ops

K = keras.layers
Model = keras.Model


def inception(width: int = 4) -> Model:
    x = inputs = K.Input((12, 12, 3), batch_size=1)
    for _ in range(2):
        one = K.Conv2D(width, 1, activation="relu")(x)
        three = K.Conv2D(width, 3, padding="same", activation="relu")(K.Conv2D(width, 1)(x))
        five = K.Conv2D(width, 5, padding="same", activation="relu6")(x)
        pool = K.Conv2D(width, 1)(K.MaxPool2D(3, 1, padding="same")(x))
        x = K.Concatenate()([one, three, five, pool])
    return Model(inputs, K.Dense(5, activation="softmax")(K.GlobalMaxPooling2D()(x)))


def resnet(width: int = 8) -> Model:
    x = inputs = K.Input((16, 16, 3), batch_size=1)
    x = K.Conv2D(width, 3, padding="same")(x)
    for stride in (1, 2, 2):
        y = K.ReLU()(K.BatchNormalization()(K.Conv2D(width, 1, strides=stride)(x)))
        y = K.ReLU()(K.BatchNormalization()(K.Conv2D(width, 3, padding="same")(y)))
        y = K.BatchNormalization()(K.Conv2D(2 * width, 1)(y))
        x = K.ReLU()(K.Add()([y, K.Conv2D(2 * width, 1, strides=stride)(x)]))
    return Model(inputs, K.Dense(10)(K.GlobalAveragePooling2D()(x)))


def densenet(growth: int = 4) -> Model:
    x = inputs = K.Input((12, 12, 3), batch_size=1)
    x = K.Conv2D(growth, 3, padding="same")(x)
    for k in range(4):
        y = K.ReLU()(K.BatchNormalization(beta_initializer="ones")(x))
        x = K.Concatenate()([x, K.Conv2D(growth, 3, padding="same")(y)])
        x = K.AveragePooling2D(2)(K.Conv2D(growth, 1)(x)) if k == 1 else x
    return Model(inputs, K.Dense(4, activation="sigmoid")(K.Flatten()(x)))


def efficient(width: int = 6) -> Model:
    x = inputs = K.Input((16, 16, 3), batch_size=1)
    x = K.Conv2D(width, 3, strides=2, padding="same", activation="swish")(x)
    for kernel in (3, 5):
        y = K.Conv2D(4 * width, 1, activation="swish")(x)
        y = K.DepthwiseConv2D(kernel, padding="same", activation="swish")(y)
        gate = K.GlobalAveragePooling2D(keepdims=True)(y)
        gate = K.Conv2D(4 * width, 1, activation="sigmoid")(K.Conv2D(2, 1, activation="swish")(gate))
        x = K.Add()([x, K.Conv2D(width, 1)(K.Multiply()([y, gate]))])
    return Model(inputs, K.Dense(6)(K.GlobalAveragePooling2D()(x)))


def separable(width: int = 6) -> Model:
    x = inputs = K.Input((14, 14, 2), batch_size=1)
    x = K.SeparableConv2D(width, 3, depth_multiplier=2, activation="gelu")(x)
    x = K.SeparableConv2D(width, 3, dilation_rate=2, padding="same", activation="relu")(x)
    return Model(inputs, K.Conv2D(3, 1, activation="softmax")(K.MaxPool2D(3)(x)))


def grouped(width: int = 8) -> Model:
    x = inputs = K.Input((10, 10, 4), batch_size=1)
    x = K.Conv2D(width, 3, groups=2, activation="relu")(x)
    x = K.Conv2D(width, 3, groups=4)(x)
    return Model(inputs, K.Conv2D(4, (3, 1), strides=(2, 1))(x))


def autoencoder(width: int = 6) -> Model:
    x = inputs = K.Input((8, 8, 1), batch_size=1)
    x = K.Conv2D(width, 3, strides=2, padding="same", activation="relu")(x)
    x = K.Dense(12, activation="tanh")(K.Flatten()(x))
    x = K.Reshape((4, 4, width))(K.Dense(16 * width)(x))
    x = K.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu")(x)
    return Model(inputs, K.Conv2DTranspose(1, 3, padding="valid", activation="sigmoid")(x))


def pyramid(width: int = 4) -> Model:
    x = inputs = K.Input((16, 16, 3), batch_size=1)
    levels = []
    for _ in range(3):
        x = K.Conv2D(width, 3, strides=2, padding="same", activation="relu6")(x)
        levels.append(x)
    top = K.Conv2D(width, 1)(levels[2])
    for level, way in zip(levels[1::-1], ("nearest", "bilinear"), strict=True):
        top = K.Add()([K.UpSampling2D(interpolation=way)(top), K.Conv2D(width, 1)(level)])
    return Model(inputs, [K.Conv2D(2, 3)(top), K.Conv2D(3, 1)(levels[2])])


def dilated(width: int = 4) -> Model:
    x = inputs = K.Input((16, 16, 3), batch_size=1)
    parts = [
        K.Conv2D(width, 3, dilation_rate=rate, padding="same", activation="relu")(x) for rate in (1, 2, 4)
    ]
    x = K.Concatenate()(parts)
    return Model(inputs, K.Resizing(24, 20)(K.Conv2D(2, 1)(x)))


def super_resolution(width: int = 8) -> Model:
    x = inputs = K.Input((7, 6, 1), batch_size=1)
    x = K.Conv2D(width, 3, padding="same", activation="relu")(x)
    x = K.Conv2D(4, 3, padding="same")(x)
    return Model(inputs, K.Lambda(lambda v: tf.nn.depth_to_space(v, 2))(x))


def shuffle(width: int = 8) -> Model:
    x = inputs = K.Input((10, 10, 4), batch_size=1)
    x = K.Conv2D(width, 3, activation="relu")(x)
    left, right = ops.split(x, 2, axis=-1)
    right = K.DepthwiseConv2D(3, padding="same")(K.Conv2D(width // 2, 1, activation="relu")(right))
    x = ops.reshape(ops.concatenate([left, right], -1), (1, 8, 8, 2, width // 2))
    x = ops.reshape(ops.transpose(x, (0, 1, 2, 4, 3)), (1, 8, 8, width))
    return Model(inputs, K.Dense(3)(K.GlobalAveragePooling2D()(x)))


def audio(width: int = 6) -> Model:
    x = inputs = K.Input((64, 1), batch_size=1)
    for stride in (4, 2, 1):
        x = K.Conv1D(width, 5, strides=stride, padding="same", activation="relu")(x)
        x = K.LayerNormalization()(x)
    return Model(inputs, K.Dense(4, activation="softmax")(K.GlobalMaxPooling1D()(x)))


def wavenet(width: int = 4) -> Model:
    x = inputs = K.Input((24, 2), batch_size=1)
    x = K.Conv1D(width, 1)(x)
    total = []
    for rate in (1, 2, 4):
        filters = K.Conv1D(width, 2, padding="causal", dilation_rate=rate, activation="tanh")(x)
        gates = K.Conv1D(width, 2, padding="causal", dilation_rate=rate, activation="sigmoid")(x)
        y = K.Conv1D(width, 1)(K.Multiply()([filters, gates]))
        x, total = K.Add()([x, y]), [*total, y]
    return Model(inputs, K.Conv1D(3, 1)(K.ReLU()(K.Add()(total))))


def heads(x: Any, width: int, count: int) -> Any:
    """Return attention of several heads, written out."""
    length = x.shape[1]
    split = lambda v: ops.transpose(ops.reshape(v, (1, length, count, width // count)), (0, 2, 1, 3))
    q, k, v = (split(K.Dense(width)(x)) for _ in range(3))
    scores = ops.softmax(ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) * (count / width) ** 0.5)
    joined = ops.reshape(ops.transpose(ops.matmul(scores, v), (0, 2, 1, 3)), (1, length, width))
    return K.Dense(width)(joined)


def transformer(width: int = 8, length: int = 6, act: str = "gelu") -> Model:
    x = inputs = K.Input((length, width), batch_size=1)
    for _ in range(2):
        x = K.LayerNormalization()(K.Add()([x, heads(x, width, 2)]))
        x = K.LayerNormalization()(K.Add()([x, K.Dense(width)(K.Dense(2 * width, activation=act)(x))]))
    return Model(inputs, K.Dense(3)(x))


def language(width: int = 8, length: int = 6, words: int = 20) -> Model:
    tokens = inputs = K.Input((length,), batch_size=1, dtype="int32")
    x = K.Embedding(words, width)(tokens)
    x = K.LayerNormalization()(K.Add()([x, heads(x, width, 2)]))
    return Model(inputs, K.Dense(words, activation="softmax")(x))


def vision_transformer(width: int = 8) -> Model:
    x = inputs = K.Input((8, 8, 3), batch_size=1)
    x = K.Reshape((4, width))(K.Conv2D(width, 4, strides=4)(x))
    x = K.Concatenate(axis=1)([ops.mean(x, axis=1, keepdims=True), x])
    x = K.Add()([x, heads(K.LayerNormalization()(x), width, 2)])
    x = K.Add()([x, K.Dense(width)(K.Dense(16, activation="gelu")(K.LayerNormalization()(x)))])
    return Model(inputs, K.Dense(5)(x[:, 0]))


def mixer(width: int = 6, length: int = 8) -> Model:
    x = inputs = K.Input((length, width), batch_size=1)
    y = K.Permute((2, 1))(x)
    y = K.Dense(length)(K.Dense(12, activation="relu")(y))
    x = K.Add()([x, K.Permute((2, 1))(y)])
    return Model(inputs, K.Add()([x, K.Dense(width)(K.Dense(10, activation="silu")(x))]))


def two_inputs() -> Model:
    x, y = inputs = [K.Input((9,), batch_size=1) for _ in range(2)]
    shared = K.Dense(7, activation="relu")
    a, b = shared(x), shared(y)
    parts = [ops.abs(a - b), ops.square(a - b), ops.maximum(a, b), ops.minimum(a, b)]
    return Model(inputs, [K.Dense(2)(K.Concatenate()(parts)), ops.sum(a * b, axis=-1)])


def activations() -> Model:
    x = inputs = K.Input((6, 6, 4), batch_size=1)
    names = ("relu", "relu6", "sigmoid", "tanh", "hard_sigmoid", "gelu", "silu", "leaky_relu")
    parts = [K.Conv2D(2, 1, activation=name)(x) for name in names]
    parts.append(K.PReLU(alpha_initializer="random_uniform", shared_axes=[1, 2])(K.Conv2D(2, 1)(x)))
    return Model(inputs, K.Concatenate()(parts))


def normalizations() -> Model:
    x = inputs = K.Input((5, 6, 4), batch_size=1)
    parts = [K.LayerNormalization()(x), K.UnitNormalization()(x), K.GroupNormalization(2)(x)]
    x = K.Concatenate()(parts)
    return Model(inputs, [x, ops.log_softmax(K.Dense(4)(K.Flatten()(x)))])


def reductions() -> Model:
    x = inputs = K.Input((5, 6, 4), batch_size=1)
    flat = lambda v: K.Reshape((-1,))(v)
    parts = [ops.mean(x, axis=(1, 2)), ops.max(x, axis=1), ops.min(x, axis=2), ops.sum(x, axis=3)]
    return Model(inputs, K.Dense(3)(K.Concatenate()([flat(v) for v in parts])))


def pieces() -> Model:
    x = inputs = K.Input((6, 8, 4), batch_size=1)
    parts = [x[:, 1:5:2, ::-1, 1:], K.Cropping2D(1)(x), ops.flip(x, axis=1), ops.tile(x, (1, 2, 1, 1))]
    parts += [ops.take(x, (3, 0, 2), axis=2), ops.pad(x, ((0, 0), (1, 2), (2, 1), (0, 0)))]
    parts += [K.Lambda(lambda v: tf.pad(v, ((0, 0), (2, 2), (1, 1), (0, 0)), "REFLECT"))(x)]
    return Model(inputs, [K.Dense(2)(v) for v in parts])


def unrolled(layer: Any, width: int = 5, **options: Any) -> Model:
    x = inputs = K.Input((4, 3), batch_size=1)
    return Model(inputs, K.Dense(2)(layer(width, unroll=True, **options)(x)))


def application(make: Callable[..., Model], **options: Any) -> Model:
    return make(input_tensor=K.Input((32, 32, 3), batch_size=1), weights=None, classes=7, **options)


ARCHITECTURES: dict[str, Callable[[], Model]] = {
    "activations": activations,
    "audio": audio,
    "autoencoder": autoencoder,
    "densenet": densenet,
    "dilated": dilated,
    "efficient": efficient,
    "grouped": grouped,
    "gru_unrolled": lambda: unrolled(K.GRU, reset_after=False),
    "inception": inception,
    "language": language,
    "lstm_unrolled": lambda: unrolled(K.LSTM),
    "mixer": mixer,
    "mobilenet_v1": lambda: application(keras.applications.MobileNet, alpha=0.25),
    "mobilenet_v2": lambda: application(keras.applications.MobileNetV2, alpha=0.35),
    "mobilenet_v3": lambda: application(
        keras.applications.MobileNetV3Small, alpha=0.5, include_preprocessing=False
    ),
    "normalizations": normalizations,
    "pieces": pieces,
    "pyramid": pyramid,
    "reductions": reductions,
    "resnet": resnet,
    "rnn_unrolled": lambda: unrolled(K.SimpleRNN),
    "separable": separable,
    "shuffle": shuffle,
    "super_resolution": super_resolution,
    "transformer": transformer,
    "transformer_relu": lambda: transformer(12, 5, "relu"),
    "two_inputs": two_inputs,
    "vision_transformer": vision_transformer,
    "wavenet": wavenet,
}
