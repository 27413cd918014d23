// Of floats, not of integers.
// expect: violation coupled_ref_i1 (strict)
module {
  func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = "quant.coupled_ref"(%x) {coupledKey = "a"} : (tensor<2x3xi32>) -> tensor<2x3xi32>
    func.return %0 : tensor<2x3xi32>
  }
}
