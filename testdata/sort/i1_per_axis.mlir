// (I1) inputs: variadic number of tensors or per-tensor quantized tensors
// expect: violation sort_i1 (strict)
// expect: violation sort_i1 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>):
    %0 = "stablehlo.sort"(%x0) ({
    ^bb0(%a0: tensor<!quant.uniform<i8:f32, 5.0e-1>>, %b0: tensor<!quant.uniform<i8:f32, 5.0e-1>>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<!quant.uniform<i8:f32, 5.0e-1>>, tensor<!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>
    "func.return"(%0) : (tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>) -> ()
  }) {function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>) -> (tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>), sym_name = "main"} : () -> ()
}
