// (C3) dimensions = range(rank(inputs[0]))
// expect: violation map_c3 (strict)
// expect: violation map_c3 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2x3xf32>):
    %0 = "stablehlo.map"(%x0) ({
    ^bb0(%a0: tensor<f32>):
      %s = "stablehlo.add"(%a0, %a0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) {function_type = (tensor<2x3xf32>) -> (tensor<2x3xf32>), sym_name = "main"} : () -> ()
}
