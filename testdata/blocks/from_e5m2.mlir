// clause: convert: from f8E5M2, exact
// Every number of the format is one of f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0x00, 0x38, 0x3C, 0x3E, 0x40, 0x42, 0x44, 0x46, 0xB8, 0xC6, 0xBC, 0x44]> : tensor<12xf8E5M2>
// expect: dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.5, -6.0, -1.0, 4.0]> : tensor<12xf32>
module {
  func.func @main(%arg0: tensor<12xf8E5M2>) -> tensor<12xf32> {
    %r = "stablehlo.convert"(%arg0) : (tensor<12xf8E5M2>) -> tensor<12xf32>
    func.return %r : tensor<12xf32>
  }
}
