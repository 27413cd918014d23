// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-13, -119, -87, -26]> : tensor<4xi8>
// expect: dense<[[3, -1], [-7, -8], [-7, -6], [6, -2]]> : tensor<4x2xi4>
module {
  func.func @main(%arg0: tensor<4xi8>) -> tensor<4x2xi4> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xi8>) -> tensor<4x2xi4>
    "func.return"(%r0) : (tensor<4x2xi4>) -> ()
  }
}
