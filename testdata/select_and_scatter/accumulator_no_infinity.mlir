// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 127, 0, 0]> : tensor<5xi8>
// args: dense<[100, 5, -3, 127, 20, 100, 5, -3, 127]> : tensor<9xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[6, 1, -2, 16, 1]> : tensor<5xi8>
!i8 = !quant.uniform<i8:f8E4M3FN, 16.0>
!i8_b = !quant.uniform<i8<-20:20>:f8E4M3FN, 16.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i8>, %source: tensor<9x!i8>, %init_value: tensor<!i8>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i8>, %b0: tensor<!i8>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i8>, tensor<!i8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i8_b>, %b0: tensor<!i8_b>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i8_b>, tensor<!i8_b>) -> tensor<!i8_b>
      "stablehlo.return"(%r0) : (tensor<!i8_b>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!i8>, tensor<9x!i8>, tensor<!i8>) -> tensor<5x!i8_b>
    "func.return"(%0) : (tensor<5x!i8_b>) -> ()
  }) {function_type = (tensor<5x!i8>, tensor<9x!i8>, tensor<!i8>) -> tensor<5x!i8_b>, sym_name = "main"} : () -> ()
}
