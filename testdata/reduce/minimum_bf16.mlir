// clause: minimum: dequantize, minimum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the least stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[23288, 23052, 21275, 21863, 17689, 19034], [30157, 16901, 16705, 29688, 23189, 23615]]> : tensor<2x6xi16>
// args: dense<32767> : tensor<i16>
// expect: dense<[17664, 16768]> : tensor<2xi16>
// wrong (least stored integer, not requantized): dense<[17689, 16705]> : tensor<2xi16>
!i16 = !quant.uniform<i16:bf16, 0.3>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i16>, %init: tensor<!i16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x6x!i16>, tensor<!i16>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
