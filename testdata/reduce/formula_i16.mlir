// clause: to_destination_type: dequantize, then quantize, each operation rounded
// One merged scale rounds elsewhere: some elements are off by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-77, 32, -121, -87, 95, -46], [-24, 43, -117, -99, 71, -102]]> : tensor<2x6xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[-587, -649]> : tensor<2xi16>
// wrong (converted with one merged scale, as StableHLO's passes): dense<[-588, -649]> : tensor<2xi16>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-181, -205]> : tensor<2xi16>
!i8 = !quant.uniform<i8:f32, 0.3:5>
!i16 = !quant.uniform<i16:f32, 0.12:-3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i8>, tensor<!i8>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
