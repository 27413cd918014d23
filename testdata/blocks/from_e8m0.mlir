// clause: convert: from f8E8M0FNU, exact
// Every number of the format is one of f32; 2^-127 is subnormal there.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0x00, 0xFE, 0x7F, 0x80, 0x7E, 0xFF, 0x81, 0x82, 0x83, 0x01, 0x43, 0xBB]> : tensor<12xf8E8M0FNU>
// expect: dense<[5.877472e-39, 1.7014118e+38, 1.0, 2.0, 0.5, 0x7FC00000, 4.0, 8.0, 16.0, 1.1754944e-38, 8.6736174e-19, 1.1529215e+18]> : tensor<12xf32>
module {
  func.func @main(%arg0: tensor<12xf8E8M0FNU>) -> tensor<12xf32> {
    %r = "stablehlo.convert"(%arg0) : (tensor<12xf8E8M0FNU>) -> tensor<12xf32>
    func.return %r : tensor<12xf32>
  }
}
