// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[34, -100, -126, 113, -26, -84, 5, -77, -117, 126, -108, 3, 97, -96, -107, -110, 44], [98, 88, -68, 12, 124, 9, -81, -120, -7, 48, 115, 7, 42, -38, 29, 66, 48], [-31, 127, 79, -84, -101, 9, -79, -117, 5, 98, 7, -11, 32, -98, -19, 52, -94]]> : tensor<3x17xi8>
// args: dense<-8> : tensor<i8>
// expect: dense<[-89, 127, -128]> : tensor<3xi8>
!i8 = !quant.uniform<i8:f32, 0.1:5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8>, tensor<!i8>) -> tensor<!i8>
      "stablehlo.return"(%r0) : (tensor<!i8>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8>
    "func.return"(%0) : (tensor<3x!i8>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i8>, sym_name = "main"} : () -> ()
}
