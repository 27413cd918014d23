// clause: batch_norm_inference: dequantize, compute in floats, quantize each result
// Operands and results have parameters of their own.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1,4],[7,-20]]> : tensor<2x2xi8>
// args: dense<[7,11]> : tensor<2xi8>
// args: dense<[3,5]> : tensor<2xi8>
// args: dense<[3,9]> : tensor<2xi8>
// args: dense<[19,40]> : tensor<2xi8>
// expect: dense<[[4, 6], [10, -25]]> : tensor<2x2xi8>
// wrong (rounded down): dense<[[4, 6], [10, -26]]> : tensor<2x2xi8>
module {
  func.func @main(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x!quant.uniform<i8:f32, 0.25:3>>, %arg2: tensor<2x!quant.uniform<i8:f32, 0.25:3>>, %arg3: tensor<2x!quant.uniform<i8:f32, 0.25:3>>, %arg4: tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>> {
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
    "func.return"(%0) : (tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> ()
  }
}
