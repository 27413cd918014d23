// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 2147483647, 0, 0]> : tensor<5xi32>
// args: dense<[16777215, 1, 1, -1, 3, 16777215, 1, 1, -1]> : tensor<9xi32>
// args: dense<1> : tensor<i32>
// expect: dense<[16777216, 1, 16777220, 2, 0]> : tensor<5xi32>
!i32 = !quant.uniform<i32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<5x!i32>, %source: tensor<9x!i32>, %init_value: tensor<!i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i32>, tensor<!i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 5>, padding = dense<[[4, 4]]> : tensor<1x2xi64>} : (tensor<5x!i32>, tensor<9x!i32>, tensor<!i32>) -> tensor<5x!i32>
    "func.return"(%0) : (tensor<5x!i32>) -> ()
  }) {function_type = (tensor<5x!i32>, tensor<9x!i32>, tensor<!i32>) -> tensor<5x!i32>, sym_name = "main"} : () -> ()
}
