// clause: compare: quantized operands are dequantized first
// Equal stored integers are other numbers, and equal numbers other integers.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[2048, 2049, 2050, 4097, -2049, 5]> : tensor<6xi16>
// args: dense<[2049, 2048, 2051, 4096, -2048, 5]> : tensor<6xi16>
// expect: dense<[true, true, true, true, true, true]> : tensor<6xi1>
module {
  func.func @main(%arg0: tensor<6x!quant.uniform<i16:f16, 1.000000e+00>>, %arg1: tensor<6x!quant.uniform<i16:f16, 1.000000e+00>>) -> tensor<6xi1> {
    %r0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<6x!quant.uniform<i16:f16, 1.000000e+00>>, tensor<6x!quant.uniform<i16:f16, 1.000000e+00>>) -> tensor<6xi1>
    "func.return"(%r0) : (tensor<6xi1>) -> ()
  }
}
