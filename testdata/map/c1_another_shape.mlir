// (C1) shape(inputs...) = shape(result)
// expect: violation map_c1 (strict)
// expect: violation map_c1 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.map"(%x0) ({
    ^bb0(%a0: tensor<f32>):
      %s = "stablehlo.add"(%a0, %a0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<3xf32>), sym_name = "main"} : () -> ()
}
