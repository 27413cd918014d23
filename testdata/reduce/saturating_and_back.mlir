// clause: add: saturation is part of every step
// From the left the sum stays at 127 and comes back from there; no order gives the wrapped one.
// derivation: by hand: 100, 127, 127, 77.
// args: dense<[100, 100, 100, -50]> : tensor<4xi8>
// args: dense<0> : tensor<i8>
// expect: dense<77> : tensor<i8>
// wrong (wrapped instead of saturated): dense<-6> : tensor<i8>
!i8 = !quant.uniform<i8:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4x!i8>, tensor<!i8>) -> tensor<!i8>
    "func.return"(%0) : (tensor<!i8>) -> ()
  }) {function_type = (tensor<4x!i8>, tensor<!i8>) -> tensor<!i8>, sym_name = "main"} : () -> ()
}
