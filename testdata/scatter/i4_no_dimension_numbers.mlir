// (I4) update_window_dims, ...: 1-dimensional tensor constants of type si64
// expect: violation scatter_i4 (strict)
// expect: violation scatter_i4 (mlir)
module {
  func.func @main(%arg0: tensor<4x3x5xf32>, %arg1: tensor<4x2x1xi32>, %arg2: tensor<4x2x5xf32>) -> tensor<4x3x5xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, unique_indices = false} : (tensor<4x3x5xf32>, tensor<4x2x1xi32>, tensor<4x2x5xf32>) -> tensor<4x3x5xf32>
    "func.return"(%0) : (tensor<4x3x5xf32>) -> ()
  }
}
