"""The stages that turn float programs, and programs that simulate quantization, into quantized ones."""
