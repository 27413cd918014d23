// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 0, -128, 63], [1, 2, 3, 64]]> : tensor<2x4xi8>
// expect: dense<[1.0, 2.0469973]> : tensor<2xf32>
module {
  func.func @main(%arg0: tensor<2x4xi8>) -> tensor<2xf32> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x4xi8>) -> tensor<2xf32>
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
