// clause: compare: quantized operands are dequantized first
// 2049 is 2048.0 in f16: the numbers are equal, though the stored integers are not.
// derivation: by hand: 2048.0 >= 2048.0.
// args: dense<[2048, 2049]> : tensor<2xi16>
// args: dense<[5]> : tensor<1xi16>
// args: dense<0> : tensor<i16>
// expect: dense<[5, 0]> : tensor<2xi16>
// wrong (stored integers compared): dense<[0, 5]> : tensor<2xi16>
!i16 = !quant.uniform<i16:f16, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2x!i16>, %source: tensor<1x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2x!i16>, tensor<1x!i16>, tensor<!i16>) -> tensor<2x!i16>
    "func.return"(%0) : (tensor<2x!i16>) -> ()
  }) {function_type = (tensor<2x!i16>, tensor<1x!i16>, tensor<!i16>) -> tensor<2x!i16>, sym_name = "main"} : () -> ()
}
