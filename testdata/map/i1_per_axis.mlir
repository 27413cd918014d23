// (I1) inputs: variadic number of tensors or per-tensor quantized tensors
// expect: violation map_i1 (strict)
// expect: violation map_i1 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>):
    %0 = "stablehlo.map"(%x0) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 5.0e-1>>):
      %s = "stablehlo.add"(%a0, %a0) : (tensor<!quant.uniform<i8:f32, 5.0e-1>>, tensor<!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<!quant.uniform<i8:f32, 5.0e-1>>
      "stablehlo.return"(%s) : (tensor<!quant.uniform<i8:f32, 5.0e-1>>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
    "func.return"(%0) : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> ()
  }) {function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>) -> (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>), sym_name = "main"} : () -> ()
}
