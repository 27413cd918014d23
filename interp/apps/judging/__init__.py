"""Judgements of a device by its dump: each layer on the inputs that the device had."""
