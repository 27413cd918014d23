// clause: quant.stats, quant.stats_ref, quant.coupled_ref: result = arg
// The recorded range is advice: what lies outside passes unchanged.
// derivation: by hand: the results are the argument
// args: dense<[-7.5, 0.3, 9.0]> : tensor<3xf32>
// expect: dense<[-7.5, 0.3, 9.0]> : tensor<3xf32>
// wrong (clamped to the recorded range): dense<[-1.0, 0.3, 2.5]> : tensor<3xf32>
module {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "quant.stats_ref"(%x) {statsKey = "x"} : (tensor<3xf32>) -> tensor<3xf32>
    %1 = "quant.coupled_ref"(%0) {coupledKey = "x"} : (tensor<3xf32>) -> tensor<3xf32>
    %2 = "quant.stats"(%1) {layerStats = dense<[-1.0, 2.5]> : tensor<2xf32>, axisStats = dense<[[-1.0, 0.0], [0.0, 1.0], [0.0, 2.5]]> : tensor<3x2xf32>, axis = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
    func.return %2 : tensor<3xf32>
  }
}
