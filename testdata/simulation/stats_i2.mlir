// A range of integers.
// expect: violation stats_i2 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "quant.stats"(%x) {layerStats = dense<[-1, 1]> : tensor<2xi32>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
