// clause: convert: to f6E2M3FN, one rounding
// Numbers at ties, subnormal ones, the greatest, and beyond it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.0625, 0.063, 0.1, 0.9, 0.95, 1.0625, 7.25, 7.5, 7.75, 8.0, 1.0e+06, -8.0, 3.75, -0.05]> : tensor<16xf32>
// expect: dense<[0x00, 0x20, 0x00, 0x01, 0x01, 0x07, 0x08, 0x08, 0x1E, 0x1F, 0x1F, 0x1F, 0x1F, 0x3F, 0x17, 0x20]> : tensor<16xf6E2M3FN>
module {
  func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf6E2M3FN> {
    %r = "stablehlo.convert"(%arg0) : (tensor<16xf32>) -> tensor<16xf6E2M3FN>
    func.return %r : tensor<16xf6E2M3FN>
  }
}
