// clause: convert: to f8E8M0FNU, one rounding
// Powers of two: ties go up, and 2^-127 is the least.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1.0, 1.4, 1.5, 3.0, 2.9, 1.0e-38, 5.0e-39, 1.0e-45, 1.7014118e+38, 2.5e+38, 0.75, 0.74, 6.0, 5.9, 1.0e+10, 1.0e-10]> : tensor<16xf32>
// expect: dense<[0x7F, 0x7F, 0x80, 0x81, 0x80, 0x01, 0x00, 0x00, 0xFE, 0xFE, 0x7F, 0x7E, 0x82, 0x81, 0xA0, 0x5E]> : tensor<16xf8E8M0FNU>
module {
  func.func @main(%arg0: tensor<16xf32>) -> tensor<16xf8E8M0FNU> {
    %r = "stablehlo.convert"(%arg0) : (tensor<16xf32>) -> tensor<16xf8E8M0FNU>
    func.return %r : tensor<16xf8E8M0FNU>
  }
}
