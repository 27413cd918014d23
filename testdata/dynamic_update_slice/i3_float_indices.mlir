// (I3) start_indices: variadic number of 0-dimensional tensors of integer type
// expect: violation dynamic_update_slice_i3 (strict)
// expect: violation dynamic_update_slice_i3 (mlir)
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x3xf32>, tensor<2x2xf32>, tensor<f32>, tensor<f32>) -> tensor<4x3xf32>
    "func.return"(%0) : (tensor<4x3xf32>) -> ()
  }
}
