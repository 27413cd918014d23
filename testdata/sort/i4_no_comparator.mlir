// (I4) comparator: function
// expect: violation sort_i4 (strict)
// expect: violation sort_i4 (mlir)
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2xf32>):
    %0 = "stablehlo.sort"(%x0) {dimension = 0 : i64, is_stable = true} : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> (tensor<2xf32>), sym_name = "main"} : () -> ()
}
