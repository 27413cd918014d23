// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 1, 0, 0]> : tensor<5xi2>
// args: dense<[1, 1, -2, -2, 1, 1, 1, -2, -2]> : tensor<9xi2>
// args: dense<1> : tensor<i2>
// expect: dense<[1, 1, 1, -1, -1]> : tensor<5xi2>
!i2 = !quant.uniform<i2:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i2>, %source: tensor<9x!i2>, %init_value: tensor<!i2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i2>, tensor<!i2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i2>, %b0: tensor<!i2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i2>, tensor<!i2>) -> tensor<!i2>
      "stablehlo.return"(%r0) : (tensor<!i2>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!i2>, tensor<9x!i2>, tensor<!i2>) -> tensor<5x!i2>
    "func.return"(%0) : (tensor<5x!i2>) -> ()
  }) {function_type = (tensor<5x!i2>, tensor<9x!i2>, tensor<!i2>) -> tensor<5x!i2>, sym_name = "main"} : () -> ()
}
