// clause: quantize: x / scale is a division
// Multiplication by the rounded reciprocal differs in the last bit of large quotients.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-24754, 13226, -32138, 10686, -7448, 2659, -22058]> : tensor<7xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[-3842668, -2742000, 1965666, -6466334]> : tensor<4xi32>
// wrong (multiplied by the reciprocal of the scale): dense<[-3842667, -2742000, 1965666, -6466334]> : tensor<4xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-11528, -8226, 5897, -19399]> : tensor<4xi32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[-3842668, -2742001, 1965666, -6466333]> : tensor<4xi32>
!i16 = !quant.uniform<i16:f32, 1000.0>
!i32 = !quant.uniform<i32:f32, 3.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<!i16>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
