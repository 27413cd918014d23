// clause: minimum: dequantize, minimum, quantize: it can change a value
// Quantizing the dequantized value gives a neighbour; the least stored integer is not the answer.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[23288, 23052, 21275, 21863, 17689, 19034, 30157]> : tensor<7xi16>
// args: dense<[16901, 16705, 29688, 23189, 23615, 29834, 30139]> : tensor<7xi16>
// args: dense<32767> : tensor<i16>
// expect: dense<[16768, 29824, 32767, 23168, 32767, 32767, 29824]> : tensor<7xi16>
// wrong (least stored integer, not requantized): dense<[16705, 29688, 32767, 23189, 32767, 32767, 29834]> : tensor<7xi16>
!i16 = !quant.uniform<i16:bf16, 0.3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7x!i16>, %source: tensor<7x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>
    "func.return"(%0) : (tensor<7x!i16>) -> ()
  }) {function_type = (tensor<7x!i16>, tensor<7x!i16>, tensor<!i16>) -> tensor<7x!i16>, sym_name = "main"} : () -> ()
}
