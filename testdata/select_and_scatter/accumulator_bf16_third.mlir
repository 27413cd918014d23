// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[3, 3, 32767, 3, 3]> : tensor<5xi16>
// args: dense<[255, 3, 17, 131, 77, 255, 3, 17, 131]> : tensor<9xi16>
// args: dense<4> : tensor<i16>
// expect: dense<[256, 4, 472, 18, 132]> : tensor<5xi16>
!i16 = !quant.uniform<i16:bf16, 0.3:3>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i16>, %source: tensor<9x!i16>, %init_value: tensor<!i16>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i16>, tensor<!i16>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i16>, %b0: tensor<!i16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i16>, tensor<!i16>) -> tensor<!i16>
      "stablehlo.return"(%r0) : (tensor<!i16>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!i16>, tensor<9x!i16>, tensor<!i16>) -> tensor<5x!i16>
    "func.return"(%0) : (tensor<5x!i16>) -> ()
  }) {function_type = (tensor<5x!i16>, tensor<9x!i16>, tensor<!i16>) -> tensor<5x!i16>, sym_name = "main"} : () -> ()
}
