// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[5, -7, 7, -7, 5, -8, 7]> : tensor<7xi4>
// args: dense<[-8, 6, -6, -7, 6, 5, 7]> : tensor<7xi4>
// args: dense<0> : tensor<i4>
// expect: dense<[-8, 0, -7, 0, 6, 0, 12]> : tensor<7xi8>
// wrong (accumulated in the inputs' type): dense<[-8, 0, -7, 0, 6, 0, -4]> : tensor<7xi8>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xi4>, %source: tensor<7xi4>, %init_value: tensor<i4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i4>, %b0: tensor<i4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i4>, tensor<i4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi4>, tensor<7xi4>, tensor<i4>) -> tensor<7xi8>
    "func.return"(%0) : (tensor<7xi8>) -> ()
  }) {function_type = (tensor<7xi4>, tensor<7xi4>, tensor<i4>) -> tensor<7xi8>, sym_name = "main"} : () -> ()
}
