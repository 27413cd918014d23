// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[7, -8, 7, 7, -8, 5, 7]> : tensor<7xi4>
// args: dense<1> : tensor<i4>
// expect: dense<[-3, 7, 4, 19]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-5, 1, -1, 8]> : tensor<4xi8>
// wrong (init value not converted): dense<[-5, 6, 3, 17]> : tensor<4xi8>
// wrong (converted without zero points): dense<[-3, 7, 3, 18]> : tensor<4xi8>
!i4 = !quant.uniform<i4:f32, 0.5:1>
!i8 = !quant.uniform<i8:f32, 0.3:2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!i4>, tensor<!i4>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
