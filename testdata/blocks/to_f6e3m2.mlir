// clause: convert: to f6E3M2FN, one rounding
// Numbers at ties, subnormal ones, the greatest, and beyond it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.03125, 0.032, 0.1, 0.2, 0.28, 1.125, 26.0, 28.0, 3.0e+01, 32.0, 1.0e+06, -32.0, 3.3, -0.02]> : tensor<16xf32>
// expect: dense<[0x00, 0x20, 0x00, 0x01, 0x02, 0x03, 0x04, 0x0C, 0x1E, 0x1F, 0x1F, 0x1F, 0x1F, 0x3F, 0x13, 0x20]> : tensor<16xf6E3M2FN>
module {
  func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf6E3M2FN> {
    %r = "stablehlo.convert"(%arg0) : (tensor<16xf32>) -> tensor<16xf6E3M2FN>
    func.return %r : tensor<16xf6E3M2FN>
  }
}
