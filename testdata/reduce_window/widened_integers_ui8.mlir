// clause: to_destination_type: integers are converted to the body's wider integers
// The sum does not fit the inputs' type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[227, 231, 254, 1, 4, 237, 26]> : tensor<7xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[458, 486, 242, 263]> : tensor<4xui32>
// wrong (accumulated in the inputs' type): dense<[202, 230, 242, 7]> : tensor<4xui32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xui8>, %init: tensor<ui8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<ui32>, %b0: tensor<ui32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%r0) : (tensor<ui32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xui8>, tensor<ui8>) -> tensor<4xui32>
    "func.return"(%0) : (tensor<4xui32>) -> ()
  }) {function_type = (tensor<7xui8>, tensor<ui8>) -> tensor<4xui32>, sym_name = "main"} : () -> ()
}
