// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[28729, 30277, -31714, 30598, -25483, 31501], [-28931, -25199, -30501, 32341, 27726, 28296]]> : tensor<2x6xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[63908, 3732]> : tensor<2xi64>
// wrong (accumulated in the inputs' type): dense<[-1628, 3732]> : tensor<2xi64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xi16>, %init: tensor<i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%r0) : (tensor<i64>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xi16>, tensor<i16>) -> tensor<2xi64>
    "func.return"(%0) : (tensor<2xi64>) -> ()
  }) {function_type = (tensor<2x6xi16>, tensor<i16>) -> tensor<2xi64>, sym_name = "main"} : () -> ()
}
