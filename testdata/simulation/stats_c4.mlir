// From axis 0 on there are 6 elements, not 2.
// expect: violation stats_c4 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "quant.stats"(%x) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>, axis = 0 : i64, axisStats = dense<0.0> : tensor<2x2xf32>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
