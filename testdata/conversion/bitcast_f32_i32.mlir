// clause: bitcast_convert: little-endian (erratum E17)
// The first element holds the lowest bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[4.75, -5.25, 4.5, 0.0, 2.75, 0.5]> : tensor<6xf32>
// expect: dense<[1083703296, -1062731776, 1083179008, 0, 1076887552, 1056964608]> : tensor<6xi32>
module {
  func.func @main(%arg0: tensor<6xf32>) -> tensor<6xi32> {
    %r0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<6xf32>) -> tensor<6xi32>
    "func.return"(%r0) : (tensor<6xi32>) -> ()
  }
}
