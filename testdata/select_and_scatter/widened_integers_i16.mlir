// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[28729, 30277, -31714, 30598, -25483, 31501, -28931]> : tensor<7xi16>
// args: dense<[-25199, -30501, 32341, 27726, 28296, -30232, -30173]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[0, -55700, 0, 60067, 0, -32109, 0]> : tensor<7xi64>
// wrong (accumulated in the inputs' type): dense<[0, 9836, 0, -5469, 0, -32109, 0]> : tensor<7xi64>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xi16>, %source: tensor<7xi16>, %init_value: tensor<i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<i16>, %b0: tensor<i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i16>, tensor<i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%r0) : (tensor<i64>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi16>, tensor<7xi16>, tensor<i16>) -> tensor<7xi64>
    "func.return"(%0) : (tensor<7xi64>) -> ()
  }) {function_type = (tensor<7xi16>, tensor<7xi16>, tensor<i16>) -> tensor<7xi64>, sym_name = "main"} : () -> ()
}
