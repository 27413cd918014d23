// clause: atan2: exact values
// Arguments at which the value is a number of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.0, 0x7FF8000000000000, 1.0]> : tensor<5xf64>
// args: dense<[1.0, 2.0, 0.0, 1.0, 0x7FF8000000000000]> : tensor<5xf64>
// expect: dense<[0.0, -0.0, 0.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
module {
  func.func @main(%arg0: tensor<5xf64>, %arg1: tensor<5xf64>) -> tensor<5xf64> {
    %r0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    "func.return"(%r0) : (tensor<5xf64>) -> ()
  }
}
