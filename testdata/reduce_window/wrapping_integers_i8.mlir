// clause: integer addition wraps
// Saturating sums are those of quantized types only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[119, 110, 96, 117, 101, 87, 108]> : tensor<7xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-27, 67, 49, -61]> : tensor<4xi8>
// wrong (saturated instead of wrapped): dense<[127, 127, 127, 127]> : tensor<4xi8>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xi8>, %init: tensor<i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xi8>, tensor<i8>) -> tensor<4xi8>
    "func.return"(%0) : (tensor<4xi8>) -> ()
  }) {function_type = (tensor<7xi8>, tensor<i8>) -> tensor<4xi8>, sym_name = "main"} : () -> ()
}
