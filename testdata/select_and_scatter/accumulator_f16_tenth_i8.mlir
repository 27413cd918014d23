// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 0, 0, 0, 127, 0, 0, 0, 0]> : tensor<10xi8>
// args: dense<[127, 126, 125, 123, 111, 119, 101, 97, 127, 113, 127, 126, 125, 123, 111, 119, 101, 97, 127]> : tensor<19xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[613, 1, 1, 1, 1, 1172, 120, 102, 98, 128]> : tensor<10xi16>
!i8 = !quant.uniform<i8:f16, 0.1>
!i16 = !quant.uniform<i16:f16, 0.1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<10x!i8>, %source: tensor<19x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 10>, padding = dense<[[9, 9]]> : tensor<1x2xi64>} : (tensor<10x!i8>, tensor<19x!i8>, tensor<!i8>) -> tensor<10x!i16>
    "func.return"(%0) : (tensor<10x!i16>) -> ()
  }) {function_type = (tensor<10x!i8>, tensor<19x!i8>, tensor<!i8>) -> tensor<10x!i16>, sym_name = "main"} : () -> ()
}
