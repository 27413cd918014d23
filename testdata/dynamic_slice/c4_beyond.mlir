// (C4) 0 <= slice_sizes <= shape(operand)
// expect: violation dynamic_slice_c4 (strict)
// expect: violation dynamic_slice_c4 (mlir)
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<2x4xf32> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 4>} : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }
}
