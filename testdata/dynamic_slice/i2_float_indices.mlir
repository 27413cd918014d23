// (I2) start_indices: variadic number of 0-dimensional tensors of integer type
// expect: violation dynamic_slice_i2 (strict)
// expect: violation dynamic_slice_i2 (mlir)
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
    "func.return"(%0) : (tensor<2x2xf32>) -> ()
  }
}
