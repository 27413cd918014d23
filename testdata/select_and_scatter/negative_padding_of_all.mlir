// clause: select_and_scatter: no window fits where padding crops more than there is
// Two elements less three: every element is the init value.
// derivation: by hand: Nothing is scattered.
// args: dense<[1, 2]> : tensor<2xi32>
// args: dense<> : tensor<0xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[7, 7]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[14, 14]> : tensor<2xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xi32>, %source: tensor<0xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 1>, padding = dense<[[0, -3]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) {function_type = (tensor<2xi32>, tensor<0xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"} : () -> ()
}
