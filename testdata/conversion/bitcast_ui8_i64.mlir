// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[60, 188, 116, 101, 163, 153, 47, 98], [58, 188, 80, 113, 206, 116, 31, 169]]> : tensor<2x8xui8>
// expect: dense<[7075042466683206716, -6260156527008498630]> : tensor<2xi64>
module {
  func.func @main(%arg0: tensor<2x8xui8>) -> tensor<2xi64> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x8xui8>) -> tensor<2xi64>
    "func.return"(%r0) : (tensor<2xi64>) -> ()
  }
}
