// clause: select_and_scatter: negative padding crops
// 9 and 8 belong to no window.
// derivation: by hand: 2 wins over 1.
// args: dense<[9, 1, 2, 8]> : tensor<4xi32>
// args: dense<[7]> : tensor<1xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[0, 0, 7, 0]> : tensor<4xi32>
// wrong (negative padding ignored): dense<[7, 0, 0, 0]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4xi32>, %source: tensor<1xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}
