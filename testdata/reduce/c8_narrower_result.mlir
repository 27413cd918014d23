// (C8) forbids what the reduction RFC's own example does (erratum E7).
// expect: violation reduce_c8 (strict)
// expect: violation reduce_c8 (mlir)
// expect: no violation (rfc)
!u8 = !quant.uniform<u8:f32, 5.000000e-01:128>
!i32 = !quant.uniform<i32:f32, 2.500000e-01>
!u8_a = !quant.uniform<u8:f32, 1.000000e+00:128>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x1x!u8>, %init: tensor<!u8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<5x1x!u8>, tensor<!u8>) -> tensor<5x!u8_a>
    "func.return"(%0) : (tensor<5x!u8_a>) -> ()
  }) {function_type = (tensor<5x1x!u8>, tensor<!u8>) -> tensor<5x!u8_a>, sym_name = "main"} : () -> ()
}
