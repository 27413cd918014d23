// Statistics are of floats, not of integers.
// expect: violation stats_i1 (strict)
module {
  func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = "quant.stats"(%x) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>} : (tensor<2x3xi32>) -> tensor<2x3xi32>
    func.return %0 : tensor<2x3xi32>
  }
}
