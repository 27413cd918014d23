// clause: convert: from f4E2M1FN, exact
// Every number of the format is one of f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0F, 0x0A, 0x06]> : tensor<12xf4E2M1FN>
// expect: dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.5, -6.0, -1.0, 4.0]> : tensor<12xf32>
module {
  func.func @main(%arg0: tensor<12xf4E2M1FN>) -> tensor<12xf32> {
    %r = "stablehlo.convert"(%arg0) : (tensor<12xf4E2M1FN>) -> tensor<12xf32>
    func.return %r : tensor<12xf32>
  }
}
