// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[5, -7, 7, -7, 5, -8, 7]> : tensor<7xi4>
// args: dense<0> : tensor<i4>
// expect: dense<[-2, -7, -10, -1]> : tensor<4xi8>
// wrong (accumulated in the inputs' type): dense<[-2, -7, 6, -1]> : tensor<4xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi4>, %init: tensor<i4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi4>, tensor<i4>) -> tensor<4xi8>
    "func.return"(%0) : (tensor<4xi8>) -> ()
  }) {function_type = (tensor<7xi4>, tensor<i4>) -> tensor<4xi8>, sym_name = "main"} : () -> ()
}
