"""A decoder of GPT-2's architecture in JAX: its weights, its training, and its export."""
