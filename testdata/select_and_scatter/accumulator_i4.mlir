// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-2, -2, 7, -2, -2]> : tensor<5xi4>
// args: dense<[7, 7, -8, -8, 1, 7, 7, -8, -8]> : tensor<9xi4>
// args: dense<-1> : tensor<i4>
// expect: dense<[7, -1, 7, -7, -7]> : tensor<5xi4>
!i4 = !quant.uniform<i4:f32, 0.3:-2>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i4>, %source: tensor<9x!i4>, %init_value: tensor<!i4>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i4>, tensor<!i4>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!i4>, tensor<9x!i4>, tensor<!i4>) -> tensor<5x!i4>
    "func.return"(%0) : (tensor<5x!i4>) -> ()
  }) {function_type = (tensor<5x!i4>, tensor<9x!i4>, tensor<!i4>) -> tensor<5x!i4>, sym_name = "main"} : () -> ()
}
