// clause: reduce: without dimensions each element meets the init value
// Not a copy: the body still runs once for each element, and both are converted.
// derivation: by hand: -1.0 + 1.0 = 0.0 and 5.0 + 1.0 = 6.0, in steps of 0.5.
// args: dense<[1, 13]> : tensor<2xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[0, 12]> : tensor<2xi16>
// permitted (init value twice; init value before every element; init value first and last): dense<[2, 14]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[6, 18]> : tensor<2xi16>
!i8 = !quant.uniform<i8:f32, 0.5:3>
!i16 = !quant.uniform<i16:f32, 0.5>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64>} : (tensor<2x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
