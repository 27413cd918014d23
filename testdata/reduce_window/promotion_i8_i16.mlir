// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[22, -17, 12, -25, 12, 17, -14]> : tensor<7xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-8, -20, -8, -8]> : tensor<4xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[32, -6, 28, 30]> : tensor<4xi16>
// wrong (init value not converted): dense<[12, -10, 2, 12]> : tensor<4xi16>
// wrong (converted without zero points): dense<[24, 12, 24, 24]> : tensor<4xi16>
!i8 = !quant.uniform<i8:f32, 0.1:3>
!i16 = !quant.uniform<i16:f32, 0.3:-7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>
    "func.return"(%0) : (tensor<4x!i16>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!i16>, sym_name = "main"} : () -> ()
}
