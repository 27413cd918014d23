// clause: convert: to f8E4M3FN, one rounding
// Numbers at ties, subnormal ones, the greatest, and beyond it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.0009765625, 0.001, 0.017, 1.0625, 432.0, 448.0, 464.0, 447.0, 256.0, -448.0, 3.3, -0.02, 17.0, 1.0e+02]> : tensor<16xf32>
// expect: dense<[0x00, 0x80, 0x00, 0x01, 0x09, 0x38, 0x7E, 0x7E, 0x7E, 0x7E, 0x78, 0xFE, 0x45, 0x8A, 0x58, 0x6C]> : tensor<16xf8E4M3FN>
module {
  func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf8E4M3FN> {
    %r = "stablehlo.convert"(%arg0) : (tensor<16xf32>) -> tensor<16xf8E4M3FN>
    func.return %r : tensor<16xf8E4M3FN>
  }
}
