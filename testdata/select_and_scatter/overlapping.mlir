// clause: select_and_scatter: scatter folds what falls on one place
// Two windows select the same element.
// derivation: by hand: 1 + 10 + 20; the others keep init.
// args: dense<[1, 9, 1]> : tensor<3xi32>
// args: dense<[10, 20]> : tensor<2xi32>
// args: dense<1> : tensor<i32>
// expect: dense<[1, 31, 1]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[2, 32, 2]> : tensor<3xi32>
// permitted (init value before every element): dense<[1, 33, 1]> : tensor<3xi32>
// wrong (scattered values overwrite each other): dense<[1, 21, 1]> : tensor<3xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3xi32>, %source: tensor<2xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }) {function_type = (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>, sym_name = "main"} : () -> ()
}
