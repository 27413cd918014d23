// clause: batch_norm_grad: dequantize, compute in floats, quantize each result
// Operands and results have parameters of their own.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1,4],[7,-20]]> : tensor<2x2xi8>
// args: dense<[7,11]> : tensor<2xi8>
// args: dense<[3,5]> : tensor<2xi8>
// args: dense<[19,40]> : tensor<2xi8>
// args: dense<[[9,1],[2,30]]> : tensor<2x2xi8>
// expect: dense<[[5, 9], [1, -94]]> : tensor<2x2xi8>
// expect: dense<[0, -47]> : tensor<2xi8>
// expect: dense<[2, 12]> : tensor<2xi8>
// wrong (ties rounded away from zero): dense<[[5, 9], [1, -94]]> : tensor<2x2xi8>; dense<[0, -47]> : tensor<2xi8>; dense<[3, 13]> : tensor<2xi8>
// wrong (rounded toward zero): dense<[[4, 8], [1, -94]]> : tensor<2x2xi8>; dense<[0, -47]> : tensor<2xi8>; dense<[2, 12]> : tensor<2xi8>
// wrong (rounded down): dense<[[4, 8], [1, -95]]> : tensor<2x2xi8>; dense<[-1, -48]> : tensor<2xi8>; dense<[2, 12]> : tensor<2xi8>
module {
  func.func @main(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x!quant.uniform<i8:f32, 0.25:3>>, %arg2: tensor<2x!quant.uniform<i8:f32, 0.25:3>>, %arg3: tensor<2x!quant.uniform<i8:f32, 0.25:3>>, %arg4: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> (tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) {
    %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> (tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }
}
