// clause: RFC: accumulation_type of a select_and_scatter, and a last to_destination_type to the result type (erratum E7)
// Both windows choose the middle element, whose sources are summed in i32.
// derivation: by hand: 100 + 127 + 100 halves are 163.5, of scale 2 82 (81.75 rounded); elsewhere the init, 100 halves, is 25.
// dialect: rfc
// args: dense<[1, 7, 2]> : tensor<3xi8>
// args: dense<[127, 100]> : tensor<2xi8>
// args: dense<100> : tensor<i8>
// expect: dense<[25, 82, 25]> : tensor<3xi8>
// wrong (accumulated in i8): dense<[25, 32, 25]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
!two = !quant.uniform<i8:f32, 2.000000e+00>
func.func @main(%x: tensor<3x!i8>, %source: tensor<2x!i8>, %init: tensor<!i8>) -> tensor<3x!two> {
  %0 = "stablehlo.select_and_scatter"(%x, %source, %init) ({
    ^bb0(%c: tensor<!i8>, %d: tensor<!i8>):
      %p = stablehlo.compare GE, %c, %d : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }, {
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %1 = stablehlo.add %a, %b : tensor<!i32>
      stablehlo.return %1 : tensor<!i32>
  }) {window_dimensions = array<i64: 2>, accumulation_type = tensor<!i32>} : (tensor<3x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<3x!two>
  return %0 : tensor<3x!two>
}
