// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-107, -103, -98, -124, -98, -100, 120]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-210, -325, -322, 20]> : tensor<4xi32>
// wrong (accumulated in the inputs' type): dense<[46, -69, -66, 20]> : tensor<4xi32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi8>, tensor<i8>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }) {function_type = (tensor<7xi8>, tensor<i8>) -> tensor<4xi32>, sym_name = "main"} : () -> ()
}
