// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[1, 1, 3, 1, 1]> : tensor<5xui2>
// args: dense<[3, 3, 0, 0, 2, 3, 3, 0, 0]> : tensor<9xui2>
// args: dense<2> : tensor<ui2>
// expect: dense<[3, 2, 3, 1, 1]> : tensor<5xui2>
!u2 = !quant.uniform<u2:f32, 1.0:1>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!u2>, %source: tensor<9x!u2>, %init_value: tensor<!u2>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!u2>, %b0: tensor<!u2>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!u2>, tensor<!u2>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!u2>, %b0: tensor<!u2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u2>, tensor<!u2>) -> tensor<!u2>
      "stablehlo.return"(%r0) : (tensor<!u2>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!u2>, tensor<9x!u2>, tensor<!u2>) -> tensor<5x!u2>
    "func.return"(%0) : (tensor<5x!u2>) -> ()
  }) {function_type = (tensor<5x!u2>, tensor<9x!u2>, tensor<!u2>) -> tensor<5x!u2>, sym_name = "main"} : () -> ()
}
