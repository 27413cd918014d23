// clause: map: result[result_index] = computation(inputs...[result_index])
// Each operation of the computation quantizes: the sum saturates before the difference. Fused, it would not.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[100, -7, -128]> : tensor<3xi8>
// args: dense<[90, 5, -100]> : tensor<3xi8>
// expect: dense<[40, -7, -25]> : tensor<3xi8>
// wrong (wrapped instead of saturated): dense<[100, -7, -128]> : tensor<3xi8>
// wrong (zero point subtracted in the storage type, the literal text): dense<[40, -7, 127]> : tensor<3xi8>
!q = !quant.uniform<i8:f32, 0.5:3>
module {
  func.func @main(%x: tensor<3x!q>, %y: tensor<3x!q>) -> tensor<3x!q> {
    %0 = "stablehlo.map"(%x, %y) ({
    ^bb0(%a: tensor<!q>, %b: tensor<!q>):
      %c = stablehlo.add %a, %b : tensor<!q>
      %d = stablehlo.subtract %c, %b : tensor<!q>
      stablehlo.return %d : tensor<!q>
    }) {dimensions = array<i64: 0>} : (tensor<3x!q>, tensor<3x!q>) -> tensor<3x!q>
    func.return %0 : tensor<3x!q>
  }
}
