// clause: convert: to f4E2M1FN, one rounding
// Numbers at ties, subnormal ones, the greatest, and beyond it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.1, 6.0, 7.0, 1.0e+06, -0.2, -7.0]> : tensor<16xf32>
// expect: dense<[0x00, 0x08, 0x00, 0x01, 0x02, 0x02, 0x04, 0x04, 0x06, 0x06, 0x07, 0x07, 0x07, 0x07, 0x08, 0x0F]> : tensor<16xf4E2M1FN>
module {
  func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf4E2M1FN> {
    %r = "stablehlo.convert"(%arg0) : (tensor<16xf32>) -> tensor<16xf4E2M1FN>
    func.return %r : tensor<16xf4E2M1FN>
  }
}
