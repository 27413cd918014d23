// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-21, 19, -12, 9, 0, 1, 26]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-2, 2, 1, 6]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[4, 19, 13, 33]> : tensor<4xi8>
// wrong (init value not converted): dense<[4, 5, 4, 12]> : tensor<4xi8>
// wrong (converted without zero points): dense<[2, 5, 3, 8]> : tensor<4xi8>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i8_b = !quant.uniform<i8:f32, 2.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8_b>
    "func.return"(%0) : (tensor<4x!i8_b>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i8_b>, sym_name = "main"} : () -> ()
}
