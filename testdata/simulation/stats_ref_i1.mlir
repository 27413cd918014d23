// Of floats, not of integers.
// expect: violation stats_ref_i1 (strict)
module {
  func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = "quant.stats_ref"(%x) {statsKey = "a"} : (tensor<2x3xi32>) -> tensor<2x3xi32>
    func.return %0 : tensor<2x3xi32>
  }
}
