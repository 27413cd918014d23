// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3.0, 1.75, 2.0]> : tensor<3xf64>
// expect: dense<[[0, 0, 0, 16392], [0, 0, 0, 16380], [0, 0, 0, 16384]]> : tensor<3x4xi16>
module {
  func.func @main(%arg0: tensor<3xf64>) -> tensor<3x4xi16> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xf64>) -> tensor<3x4xi16>
    "func.return"(%r0) : (tensor<3x4xi16>) -> ()
  }
}
