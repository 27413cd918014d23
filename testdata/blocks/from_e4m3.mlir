// clause: convert: from f8E4M3FN, exact
// Every number of the format is one of f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0x00, 0x30, 0x38, 0x3C, 0x40, 0x44, 0x48, 0x4C, 0xB0, 0xCC, 0xB8, 0x48]> : tensor<12xf8E4M3FN>
// expect: dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.5, -6.0, -1.0, 4.0]> : tensor<12xf32>
module {
  func.func @main(%arg0: tensor<12xf8E4M3FN>) -> tensor<12xf32> {
    %r = "stablehlo.convert"(%arg0) : (tensor<12xf8E4M3FN>) -> tensor<12xf32>
    func.return %r : tensor<12xf32>
  }
}
