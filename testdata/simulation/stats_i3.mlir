// Ranges of integers.
// expect: violation stats_i3 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "quant.stats"(%x) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>, axis = 1 : i64, axisStats = dense<[[0, 1], [0, 1], [0, 1]]> : tensor<3x2xi32>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
