// One number is not a range.
// expect: violation stats_c2 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "quant.stats"(%x) {layerStats = dense<1.0> : tensor<1xf32>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
