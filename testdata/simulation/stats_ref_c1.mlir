// The result has another shape.
// expect: violation stats_ref_c1 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = "quant.stats_ref"(%x) {statsKey = "a"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    func.return %0 : tensor<3x2xf32>
  }
}
