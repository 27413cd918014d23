// (C4) computation has type (tensor<E0>, ..., tensor<EN-1>) -> tensor<E'>
// expect: violation map_c4 (strict)
// expect: violation map_c4 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.map"(%x0) ({
    ^bb0(%a0: tensor<f32>):
      %s = "stablehlo.add"(%a0, %a0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf64>
    "func.return"(%0) : (tensor<2xf64>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<2xf64>), sym_name = "main"} : () -> ()
}
