"""The interpreter itself: the loop over operations, the fold, quantization, tensors, limits of memory."""
