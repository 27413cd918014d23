// clause: to_destination_type: elements and init are quantized(dequantized) to the body's type (erratum E2)
// Input and body have other scales and zero points: stored integers mean other numbers in the body.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[15, 0, 15, 2, 10, 15, 15]> : tensor<7xui4>
// args: dense<8> : tensor<ui4>
// expect: dense<[-1, -11, 5, 24]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[31, 25, 35, 46]> : tensor<4xi8>
// wrong (init value not converted): dense<[15, -3, 13, 40]> : tensor<4xi8>
// wrong (converted without zero points): dense<[51, 41, 58, 76]> : tensor<4xi8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[-82, -65, -75, -84]> : tensor<4xi8>
!u4 = !quant.uniform<u4:f32, 0.5:8>
!i8 = !quant.uniform<i8:f32, 0.3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!u4>, %init: tensor<!u4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!u4>, tensor<!u4>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<7x!u4>, tensor<!u4>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
