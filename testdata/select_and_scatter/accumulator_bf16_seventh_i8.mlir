// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 0, 0, 127, 0, 0, 0]> : tensor<8xi8>
// args: dense<[11, 13, 7, 9, 15, 3, 14, 5, 11, 13, 7, 9, 15, 3, 14]> : tensor<15xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[41, 1, 1, 1, 78, 16, 4, 15]> : tensor<8xi16>
!i8 = !quant.uniform<i8:bf16, 0.7>
!i16 = !quant.uniform<i16:bf16, 0.7>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<8x!i8>, %source: tensor<15x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 8>, padding = dense<[[7, 7]]> : tensor<1x2xi64>} : (tensor<8x!i8>, tensor<15x!i8>, tensor<!i8>) -> tensor<8x!i16>
    "func.return"(%0) : (tensor<8x!i16>) -> ()
  }) {function_type = (tensor<8x!i8>, tensor<15x!i8>, tensor<!i8>) -> tensor<8x!i16>, sym_name = "main"} : () -> ()
}
