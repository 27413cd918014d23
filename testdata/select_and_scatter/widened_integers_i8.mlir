// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[120, -104, -118, 99, 124, -107, 100]> : tensor<7xi8>
// args: dense<[-102, -118, -116, -115, 121, 115, 112]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-220, 0, 0, -116, 121, 0, 112]> : tensor<7xi32>
// wrong (accumulated in the inputs' type): dense<[36, 0, 0, -116, 121, 0, 112]> : tensor<7xi32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xi8>, %source: tensor<7xi8>, %init_value: tensor<i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i8>, tensor<i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi8>, tensor<7xi8>, tensor<i8>) -> tensor<7xi32>
    "func.return"(%0) : (tensor<7xi32>) -> ()
  }) {function_type = (tensor<7xi8>, tensor<7xi8>, tensor<i8>) -> tensor<7xi32>, sym_name = "main"} : () -> ()
}
