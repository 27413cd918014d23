"""The UCI digits of scikit-learn: 8x8 images in [0, 1], for training and for judging a classifier."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

JUDGED = 100


def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return images and labels to train with, and 100 others to judge with."""
    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    images, labels = (data.images[order] / 16).astype(np.float32), data.target[order]
    return images[JUDGED:], labels[JUDGED:], images[:JUDGED], labels[:JUDGED]
