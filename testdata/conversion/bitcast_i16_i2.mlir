// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-29651, -22389, -18252]> : tensor<3xi16>
// expect: dense<[[1, -1, -2, 0, 0, -1, 0, -2], [-1, -2, 0, -2, 0, -2, -2, -2], [0, 1, -1, -2, 0, -2, -1, -2]]> : tensor<3x8xi2>
module {
  func.func @main(%arg0: tensor<3xi16>) -> tensor<3x8xi2> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi16>) -> tensor<3x8xi2>
    "func.return"(%r0) : (tensor<3x8xi2>) -> ()
  }
}
