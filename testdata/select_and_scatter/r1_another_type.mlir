// accumulation_type of the RFC's earlier version has to be the type that scatter takes: it says i16, and scatter takes i32.
// expect: violation select_and_scatter_r1 (rfc)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i16 = !quant.uniform<i16:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%x0: tensor<4x!i8>, %x1: tensor<2x!i8>, %x2: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
    ^bb0(%c: tensor<!i8>, %d: tensor<!i8>):
      %p = "stablehlo.compare"(%c, %d) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, accumulation_type = tensor<!i16>} : (tensor<4x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<4x!i8>
    "func.return"(%0) : (tensor<4x!i8>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<2x!i8>, tensor<!i8>) -> tensor<4x!i8>, sym_name = "main"} : () -> ()
}
