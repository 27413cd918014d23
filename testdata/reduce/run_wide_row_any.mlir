// clause: add: saturation is part of every step
// No partial sum may be left out, joined or taken in another order without a reason.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[67, -36, 29, 7, -61, -24, 69, 65, -41, 99, -103, 26, 11, 38, 100, 11, -20, -14, 105, -86, 90, -119, 103, 41, 106, -87, 21, -47, 24, 60, -23, 121, 52, 100, -14, 119, 127, 99, 96, -73]> : tensor<40xi8>
// args: dense<-25> : tensor<i8>
// expect: dense<224> : tensor<i16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16<-300:300>:f32, 0.5:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<40x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<40x!i8>, tensor<!i8>) -> tensor<!i16>
    "func.return"(%0) : (tensor<!i16>) -> ()
  }) {function_type = (tensor<40x!i8>, tensor<!i8>) -> tensor<!i16>, sym_name = "main"} : () -> ()
}
