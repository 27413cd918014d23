// clause: select_and_scatter: an empty window scatters nothing (erratum E8)
// Two of three windows lie outside.
// derivation: by hand: only the window in the middle holds 7.
// args: dense<[7]> : tensor<1xi32>
// args: dense<[10, 20, 30]> : tensor<3xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[20]> : tensor<1xi32>
// wrong (outside windows scatter to the nearest element): dense<[60]> : tensor<1xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<1xi32>, %source: tensor<3xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 2>, padding = dense<[[2, 2]]> : tensor<1x2xi64>} : (tensor<1xi32>, tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    "func.return"(%0) : (tensor<1xi32>) -> ()
  }) {function_type = (tensor<1xi32>, tensor<3xi32>, tensor<i32>) -> tensor<1xi32>, sym_name = "main"} : () -> ()
}
