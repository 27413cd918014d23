// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, 0, 2147483647, 0]> : tensor<4xi32>
// args: dense<[1073741823, 1073741823, 3, -5, 1073741823, 1073741823, 3]> : tensor<7xi32>
// args: dense<1> : tensor<i32>
// expect: dense<[2147483647, 1, 2147483645, 4]> : tensor<4xi32>
!i32 = !quant.uniform<i32:f64, 0.1>
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
