// clause: select_and_scatter: strides
// The element between two windows belongs to none.
// derivation: by hand: windows (1, 2) and (4, 5).
// args: dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
// args: dense<[10, 20]> : tensor<2xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[0, 10, 0, 0, 20]> : tensor<5xi32>
// wrong (stride of one window): dense<[0, 10, 0, 20, 0]> : tensor<5xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5xi32>, %source: tensor<2xi32>, %init_value: tensor<i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 3>} : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
    "func.return"(%0) : (tensor<5xi32>) -> ()
  }) {function_type = (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>, sym_name = "main"} : () -> ()
}
