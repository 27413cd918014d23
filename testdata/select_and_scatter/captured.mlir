// clause: the bodies may capture values
// A ceiling from outside of scatter.
// derivation: by hand: 10 + 20 is cut to 25.
// args: dense<[1, 9, 1]> : tensor<3xi32>
// args: dense<[10, 20]> : tensor<2xi32>
// args: dense<0> : tensor<i32>
// args: dense<25> : tensor<i32>
// expect: dense<[0, 25, 0]> : tensor<3xi32>
// wrong (captured value ignored): dense<[0, 30, 0]> : tensor<3xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3xi32>, %source: tensor<2xi32>, %init_value: tensor<i32>, %c0: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %s = "stablehlo.minimum"(%r, %c0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }) {function_type = (tensor<3xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>, sym_name = "main"} : () -> ()
}
