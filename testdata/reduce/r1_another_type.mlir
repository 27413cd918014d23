// accumulation_type of the RFC's earlier version has to be the type that the body takes: it says i16, and the body takes i32.
// expect: violation reduce_r1 (rfc)
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i16 = !quant.uniform<i16:f32, 5.000000e-01>
!i32 = !quant.uniform<i32:f32, 5.000000e-01>
module {
  "func.func"() ({
  ^bb0(%x0: tensor<2x3x!i8>, %x1: tensor<!i8>):
    %0 = "stablehlo.reduce"(%x0, %x1) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>, accumulation_type = tensor<!i16>} : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8>
    "func.return"(%0) : (tensor<2x!i8>) -> ()
  }) {function_type = (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8>, sym_name = "main"} : () -> ()
}
