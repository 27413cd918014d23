// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[227, 231, 254, 1, 4, 237], [26, 247, 249, 237, 244, 9]]> : tensor<2x6xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[954, 1012]> : tensor<2xui32>
// wrong (accumulated in the inputs' type): dense<[186, 244]> : tensor<2xui32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xui8>, %init: tensor<ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<ui32>, %b0: tensor<ui32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%r0) : (tensor<ui32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xui8>, tensor<ui8>) -> tensor<2xui32>
    "func.return"(%0) : (tensor<2xui32>) -> ()
  }) {function_type = (tensor<2x6xui8>, tensor<ui8>) -> tensor<2xui32>, sym_name = "main"} : () -> ()
}
