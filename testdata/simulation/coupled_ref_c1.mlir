// The result has another shape.
// expect: violation coupled_ref_c1 (strict)
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = "quant.coupled_ref"(%x) {coupledKey = "a"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    func.return %0 : tensor<3x2xf32>
  }
}
