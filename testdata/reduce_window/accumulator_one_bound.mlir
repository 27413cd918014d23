// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-2147483647, -2147483647, 999, 999, 5]> : tensor<5xi32>
// args: dense<1> : tensor<i32>
// expect: dense<[-2147483647, -2147482624, 1000, 1000]> : tensor<4xi32>
!i32 = !quant.uniform<i32<-2147483647:1000>:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<5x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<5x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
