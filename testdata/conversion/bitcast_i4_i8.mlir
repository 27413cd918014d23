// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4, 2], [6, -1], [7, -2]]> : tensor<3x2xi4>
// expect: dense<[36, -10, -25]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3x2xi4>) -> tensor<3xi8> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x2xi4>) -> tensor<3xi8>
    "func.return"(%r0) : (tensor<3xi8>) -> ()
  }
}
