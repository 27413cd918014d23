// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[227, 231, 254, 1, 4, 237, 26]> : tensor<7xui8>
// args: dense<[247, 249, 237, 244, 9, 242, 244]> : tensor<7xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[0, 247, 730, 0, 0, 495, 0]> : tensor<7xui32>
// wrong (accumulated in the inputs' type): dense<[0, 247, 218, 0, 0, 239, 0]> : tensor<7xui32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xui8>, %source: tensor<7xui8>, %init_value: tensor<ui8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<ui32>, %b0: tensor<ui32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%r0) : (tensor<ui32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xui8>, tensor<7xui8>, tensor<ui8>) -> tensor<7xui32>
    "func.return"(%0) : (tensor<7xui32>) -> ()
  }) {function_type = (tensor<7xui8>, tensor<7xui8>, tensor<ui8>) -> tensor<7xui32>, sym_name = "main"} : () -> ()
}
