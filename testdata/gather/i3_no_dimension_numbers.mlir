// (I3) offset_dims, ...: 1-dimensional tensor constants of type si64
// expect: violation gather_i3 (strict)
// expect: violation gather_i3 (mlir)
module {
  func.func @main(%arg0: tensor<4x3x5xf32>, %arg1: tensor<4x2x1xi32>) -> tensor<4x2x5xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 5>} : (tensor<4x3x5xf32>, tensor<4x2x1xi32>) -> tensor<4x2x5xf32>
    "func.return"(%0) : (tensor<4x2x5xf32>) -> ()
  }
}
