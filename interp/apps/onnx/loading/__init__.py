"""Reader of ONNX models: a graph walk, and one file for each family of operators."""
