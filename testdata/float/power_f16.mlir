// clause: power: exact values
// Arguments at which the value is a number of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[2.0, 0.5, -2.0, 9.0, 7.0, -1.5]> : tensor<6xf16>
// args: dense<[1.0e+01, -3.0, 3.0, 1.0, 0.0, 0x7E00]> : tensor<6xf16>
// expect: dense<[1024.0, 8.0, -8.0, 9.0, 1.0, 0x7E00]> : tensor<6xf16>
module {
  func.func @main(%arg0: tensor<6xf16>, %arg1: tensor<6xf16>) -> tensor<6xf16> {
    %r0 = "stablehlo.power"(%arg0, %arg1) : (tensor<6xf16>, tensor<6xf16>) -> tensor<6xf16>
    "func.return"(%r0) : (tensor<6xf16>) -> ()
  }
}
