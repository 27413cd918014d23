// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-8960257249750005992, 7177099221951499055, 5359224785607948521]> : tensor<3xi64>
// expect: dense<[[1015564056, -2086222463], [1780927279, 1671048631], [1369536745, 1247791756]]> : tensor<3x2xi32>
module {
  func.func @main(%arg0: tensor<3xi64>) -> tensor<3x2xi32> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi64>) -> tensor<3x2xi32>
    "func.return"(%r0) : (tensor<3x2xi32>) -> ()
  }
}
