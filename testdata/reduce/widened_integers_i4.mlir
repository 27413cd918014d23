// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[7, -6, 7, 7, 5, -6], [-6, -8, -8, -6, -8, -7]]> : tensor<2x6xi4>
// args: dense<0> : tensor<i4>
// expect: dense<[14, -43]> : tensor<2xi8>
// wrong (accumulated in the inputs' type): dense<[-2, 5]> : tensor<2xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xi4>, %init: tensor<i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xi4>, tensor<i4>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }) {function_type = (tensor<2x6xi4>, tensor<i4>) -> tensor<2xi8>, sym_name = "main"} : () -> ()
}
