// clause: dynamic_reshape: functionally identical to reshape
// Elements keep their order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
// args: dense<[3, 1, 2]> : tensor<3xi64>
// expect: dense<[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]> : tensor<3x1x2xf32>
module {
  func.func @main(%x: tensor<2x3xf32>, %s: tensor<3xi64>) -> tensor<3x1x2xf32> {
    %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<3x1x2xf32>
    func.return %0 : tensor<3x1x2xf32>
  }
}
