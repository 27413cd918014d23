// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[28729, 30277, -31714, 30598, -25483, 31501, -28931]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[59006, 29161, 36616, 2570]> : tensor<4xi64>
// wrong (accumulated in the inputs' type): dense<[-6530, 29161, -28920, 2570]> : tensor<4xi64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi16>, %init: tensor<i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%r0) : (tensor<i64>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi16>, tensor<i16>) -> tensor<4xi64>
    "func.return"(%0) : (tensor<4xi64>) -> ()
  }) {function_type = (tensor<7xi16>, tensor<i16>) -> tensor<4xi64>, sym_name = "main"} : () -> ()
}
