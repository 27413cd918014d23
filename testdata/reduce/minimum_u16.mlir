// clause: minimum: dequantize, minimum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the least stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[59025, 51557, 51141, 60703, 55215, 50134], [62697, 55246, 63603, 62536, 63549, 61539]]> : tensor<2x6xui16>
// args: dense<65535> : tensor<ui16>
// expect: dense<[50144, 55232]> : tensor<2xui16>
// wrong (least stored integer, not requantized): dense<[50134, 55246]> : tensor<2xui16>
!u16 = !quant.uniform<u16:f16, 0.1:100>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!u16>, %init: tensor<!u16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u16>, %b0: tensor<!u16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!u16>, tensor<!u16>) -> tensor<!u16>
      "stablehlo.return"(%r0) : (tensor<!u16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!u16>, tensor<!u16>) -> tensor<2x!u16>
    "func.return"(%0) : (tensor<2x!u16>) -> ()
  }) {function_type = (tensor<2x6x!u16>, tensor<!u16>) -> tensor<2x!u16>, sym_name = "main"} : () -> ()
}
