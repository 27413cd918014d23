// (I2) dimensions: 1-dimensional tensor constant of type si64
// expect: violation map_i2 (strict)
// expect: violation map_i2 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.map"(%x0) ({
    ^bb0(%a0: tensor<f32>):
      %s = "stablehlo.add"(%a0, %a0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {dimensions = 0.5 : f32} : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<2xf32>), sym_name = "main"} : () -> ()
}
