// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[16777217, 16777217, 2147483647, 16777217]> : tensor<4xi32>
// args: dense<[16777210, 16777213, 16777216, 16777209, 16777210, 16777213, 16777216]> : tensor<7xi32>
// args: dense<16777216> : tensor<i32>
// expect: dense<[16777203, 16777216, 16777192, 16777214]> : tensor<4xi32>
!i32 = !quant.uniform<i32:f32, 1.0:16777217>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<4x!i32>, %source: tensor<7x!i32>, %init_value: tensor<!i32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<!i32>, tensor<!i32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 4>, padding = dense<[[3, 3]]> : tensor<1x2xi64>} : (tensor<4x!i32>, tensor<7x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<4x!i32>, tensor<7x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
