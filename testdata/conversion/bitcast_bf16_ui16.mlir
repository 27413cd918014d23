// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.75, -0.25, 5.0, -3.75]> : tensor<4xbf16>
// expect: dense<[16192, 48768, 16544, 49264]> : tensor<4xui16>
module {
  func.func @main(%arg0: tensor<4xbf16>) -> tensor<4xui16> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xbf16>) -> tensor<4xui16>
    "func.return"(%r0) : (tensor<4xui16>) -> ()
  }
}
