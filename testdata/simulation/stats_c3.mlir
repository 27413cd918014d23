// Ranges along an axis that is not named.
// expect: violation stats_c3 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "quant.stats"(%x) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>, axisStats = dense<0.0> : tensor<3x2xf32>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
