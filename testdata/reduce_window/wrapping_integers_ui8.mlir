// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[199, 226, 236, 252, 246, 235, 231]> : tensor<7xui8>
// args: dense<0> : tensor<ui8>
// expect: dense<[169, 202, 221, 210]> : tensor<4xui8>
// wrong (saturated instead of wrapped): dense<[255, 255, 255, 255]> : tensor<4xui8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xui8>, %init: tensor<ui8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      "stablehlo.return"(%r0) : (tensor<ui8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xui8>, tensor<ui8>) -> tensor<4xui8>
    "func.return"(%0) : (tensor<4xui8>) -> ()
  }) {function_type = (tensor<7xui8>, tensor<ui8>) -> tensor<4xui8>, sym_name = "main"} : () -> ()
}
