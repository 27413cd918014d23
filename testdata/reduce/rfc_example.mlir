// The RFC's example, its placeholders filled in.
// expect: no violation (rfc)
!ui8 = !quant.uniform<ui8:f32, 5.000000e-01:128>
!i32 = !quant.uniform<i32:f32, 2.500000e-01:7>
!ui8_a = !quant.uniform<ui8:f32, 1.000000e+00:64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x1x!ui8>, %init: tensor<!ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a: tensor<!i32>, %b: tensor<!i32>):
      %r0 = "stablehlo.add"(%a, %b) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = dense<1> : tensor<i64>} : (tensor<5x1x!ui8>, tensor<!ui8>) -> tensor<5x!ui8_a>
    "func.return"(%0) : (tensor<5x!ui8_a>) -> ()
  }) {function_type = (tensor<5x1x!ui8>, tensor<!ui8>) -> tensor<5x!ui8_a>, sym_name = "main"} : () -> ()
}
