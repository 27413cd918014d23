// clause: select_and_scatter: positions outside the operand are absent
// All numbers are negative: padding with zeros, or with the init value, would be selected.
// derivation: by hand: windows (-5), (-5, -3), (-3).
// args: dense<[-5, -3]> : tensor<2xi32>
// args: dense<[1, 2, 4]> : tensor<3xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[1, 6]> : tensor<2xi32>
// wrong (zeros compete): dense<[0, 2]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xi32>, %source: tensor<3xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2xi32>, tensor<3xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}
