// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[4607182418800017408, 13835058055282163712, 0, 9214364837600034817]> : tensor<4xui64>
// expect: dense<[1.0, -2.0, 0.0, 8.988465674311582e+307]> : tensor<4xf64>
module {
  func.func @main(%arg0: tensor<4xui64>) -> tensor<4xf64> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xui64>) -> tensor<4xf64>
    "func.return"(%r0) : (tensor<4xf64>) -> ()
  }
}
