"""The float twin of a program, and how far it may be from the quantized one."""
