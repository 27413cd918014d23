"""Programs as .tflite files."""
