// (C1) type(operand) = type(result)
// expect: violation dynamic_update_slice_c1 (strict)
// expect: violation dynamic_update_slice_c1 (mlir)
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i64>, %arg3: tensor<i64>) -> tensor<4x4xf32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x3xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    "func.return"(%0) : (tensor<4x4xf32>) -> ()
  }
}
