// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3.25, -1.0, 0.0, -1.75]> : tensor<4xf16>
// expect: dense<[17024, -17408, 0, -16640]> : tensor<4xi16>
module {
  func.func @main(%arg0: tensor<4xf16>) -> tensor<4xi16> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xf16>) -> tensor<4xi16>
    "func.return"(%r0) : (tensor<4xi16>) -> ()
  }
}
