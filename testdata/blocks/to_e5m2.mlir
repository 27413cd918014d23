// clause: convert: to f8E5M2, one rounding
// Numbers at ties, subnormal ones, the greatest, and beyond it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 7.6293945e-06, 1.0e-05, 0.1, 1.125, 57344.0, 61439.0, 6.144e+04, 1.0e+06, -1.0e+06, 3.3, -0.02, 17.0, 1.0e+02, 1.0e-07]> : tensor<16xf32>
// expect: dense<[0x00, 0x80, 0x00, 0x01, 0x2E, 0x3C, 0x7B, 0x7B, 0x7C, 0x7C, 0xFC, 0x43, 0xA5, 0x4C, 0x56, 0x00]> : tensor<16xf8E5M2>
module {
  func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf8E5M2> {
    %r = "stablehlo.convert"(%arg0) : (tensor<16xf32>) -> tensor<16xf8E5M2>
    func.return %r : tensor<16xf8E5M2>
  }
}
