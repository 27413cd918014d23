// clause: convert: from f6E3M2FN, exact
// Every number of the format is one of f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0x00, 0x08, 0x0C, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x28, 0x36, 0x2C, 0x14]> : tensor<12xf6E3M2FN>
// expect: dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.5, -6.0, -1.0, 4.0]> : tensor<12xf32>
module {
  func.func @main(%arg0: tensor<12xf6E3M2FN>) -> tensor<12xf32> {
    %r = "stablehlo.convert"(%arg0) : (tensor<12xf6E3M2FN>) -> tensor<12xf32>
    func.return %r : tensor<12xf32>
  }
}
