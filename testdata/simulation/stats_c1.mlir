// The result has another shape.
// expect: violation stats_c1 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = "quant.stats"(%x) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    func.return %0 : tensor<3x2xf32>
  }
}
