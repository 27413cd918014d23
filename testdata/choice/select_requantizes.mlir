// clause: select: quantized operands are dequantized, the choice quantized
// A choice is quantized again, which can change it: 1027 comes back as another integer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[true, false, true, false, true, false]> : tensor<6xi1>
// args: dense<[-1000, 999, 513, 1027, 3, -7]> : tensor<6xi16>
// args: dense<[4099, -513, 8, 12345, -30000, 777]> : tensor<6xi16>
// expect: dense<[-996, -512, 512, 12352, 3, 776]> : tensor<6xi16>
module {
  func.func @main(%arg0: tensor<6xi1>, %arg1: tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>>, %arg2: tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>>) -> tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>> {
    %r0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<6xi1>, tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>>, tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>>) -> tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>>
    "func.return"(%r0) : (tensor<6x!quant.uniform<i16:bf16, 3.000000e-01>>) -> ()
  }
}
