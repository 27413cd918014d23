// (I3) computation: function
// expect: violation map_i3 (strict)
// expect: violation map_i3 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.map"(%x0) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<2xf32>), sym_name = "main"} : () -> ()
}
