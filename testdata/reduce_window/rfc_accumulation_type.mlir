// clause: RFC: accumulation_type of a reduce_window, and a last to_destination_type to the result type (erratum E7)
// The windows are summed in i32.
// derivation: by hand: 127 + 100 - 50 = 177 halves are clamped to 127, and 100 - 50 + 1 = 51.
// dialect: rfc
// args: dense<[127, 100, -50, 1]> : tensor<4xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[127, 51]> : tensor<2xi8>
// wrong (accumulated in i8): dense<[77, 51]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
func.func @main(%x: tensor<4x!i8>, %init: tensor<!i8>) -> tensor<2x!i8> {
  %0 = "stablehlo.reduce_window"(%x, %init) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %1 = stablehlo.add %a, %b : tensor<!i32>
      stablehlo.return %1 : tensor<!i32>
  }) {window_dimensions = array<i64: 3>, accumulation_type = tensor<!i32>} : (tensor<4x!i8>, tensor<!i8>) -> tensor<2x!i8>
  return %0 : tensor<2x!i8>
}
