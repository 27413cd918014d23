// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-76, -89, -36, 80, -66, -73, 60, -127, 7, -20, -81, -71, 83, 111, 73, 125, -123], [93, -62, 22, 89, 119, -17, 90, 111, -74, 37, -86, -56, -104, -81, -116, 2, 52], [23, -31, -85, 60, 3, 76, -31, 68, -107, 73, -24, 41, 19, -88, 48, -95, -115]]> : tensor<3x17xi8>
// args: dense<-123> : tensor<i8>
// expect: dense<[-46, -153, -300]> : tensor<3xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16<-300:300>:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3x17x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i16>
    "func.return"(%0) : (tensor<3x!i16>) -> ()
  }) {function_type = (tensor<3x17x!i8>, tensor<!i8>) -> tensor<3x!i16>, sym_name = "main"} : () -> ()
}
