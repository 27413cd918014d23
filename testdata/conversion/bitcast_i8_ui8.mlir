// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[57, -30, -11, -41]> : tensor<4xi8>
// expect: dense<[57, 226, 245, 215]> : tensor<4xui8>
module {
  func.func @main(%arg0: tensor<4xi8>) -> tensor<4xui8> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xi8>) -> tensor<4xui8>
    "func.return"(%r0) : (tensor<4xui8>) -> ()
  }
}
