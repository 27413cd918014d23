// (I3) slice_sizes: 1-dimensional tensor constant of type si64
// expect: violation dynamic_slice_i3 (strict)
// expect: violation dynamic_slice_i3 (mlir)
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<2x2xf32> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
    "func.return"(%0) : (tensor<2x2xf32>) -> ()
  }
}
