// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[5.75, 5.0, 2.75]> : tensor<3xf32>
// expect: dense<[[0, 0, 184, 64], [0, 0, 160, 64], [0, 0, 48, 64]]> : tensor<3x4xui8>
module {
  func.func @main(%arg0: tensor<3xf32>) -> tensor<3x4xui8> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xf32>) -> tensor<3x4xui8>
    "func.return"(%r0) : (tensor<3x4xui8>) -> ()
  }
}
