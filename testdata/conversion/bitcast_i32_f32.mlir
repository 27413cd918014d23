// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1065353216, 1078530011, 1, -1082130432, 2130706432, 8388608]> : tensor<6xi32>
// expect: dense<[1.0, 3.1415927, 1.0e-45, -1.0, 1.7014118e+38, 1.1754944e-38]> : tensor<6xf32>
module {
  func.func @main(%arg0: tensor<6xi32>) -> tensor<6xf32> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<6xi32>) -> tensor<6xf32>
    "func.return"(%r0) : (tensor<6xf32>) -> ()
  }
}
