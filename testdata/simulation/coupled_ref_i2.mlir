// The key is a string.
// expect: violation coupled_ref_i2 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "quant.coupled_ref"(%x) {coupledKey = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
