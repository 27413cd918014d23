// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[7, 7, -8, -8, 1]> : tensor<5xi4>
// args: dense<-1> : tensor<i4>
// expect: dense<[7, 1, -8, -4]> : tensor<4xi4>
!i4 = !quant.uniform<i4:f32, 0.3:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<5x!i4>, tensor<!i4>) -> tensor<4x!i4>
    "func.return"(%0) : (tensor<4x!i4>) -> ()
  }) {function_type = (tensor<5x!i4>, tensor<!i4>) -> tensor<4x!i4>, sym_name = "main"} : () -> ()
}
