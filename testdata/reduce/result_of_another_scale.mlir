// clause: results of another scale than the body (erratum E14)
// jaxlib's verifier accepts it; the number must stay, not the bits.
// derivation: by hand: 5.0 in steps of 0.5.
// mode: mlir
// args: dense<[4, 6]> : tensor<2xi8>
// args: dense<0> : tensor<i8>
// expect: dense<10> : tensor<i32>
// wrong (the accumulator's bits): dense<20> : tensor<i32>
!i8 = !quant.uniform<i8:f32, 0.5>
!i32 = !quant.uniform<i32:f32, 0.5>
!i32_b = !quant.uniform<i32:f32, 0.25>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32_b>, %b0: tensor<!i32_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32_b>, tensor<!i32_b>) -> tensor<!i32_b>
      "stablehlo.return"(%r0) : (tensor<!i32_b>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2x!i8>, tensor<!i8>) -> tensor<!i32>
    "func.return"(%0) : (tensor<!i32>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<!i8>) -> tensor<!i32>, sym_name = "main"} : () -> ()
}
