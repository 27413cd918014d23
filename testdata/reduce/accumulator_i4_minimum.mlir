// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[7, 7, -8, -8, 1], [1, -8, -8, 7, 7], [7, -8, -8, 1, 7], [-8, -8, 4, 4, -5]]> : tensor<4x5xi4>
// args: dense<7> : tensor<i4>
// expect: dense<[-8, -8, -8, -8]> : tensor<4xi4>
!i4 = !quant.uniform<i4:f32, 0.3:-2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!i4>, %init: tensor<!i4>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i4>, %b0: tensor<!i4>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i4>, tensor<!i4>) -> tensor<!i4>
      "stablehlo.return"(%r0) : (tensor<!i4>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!i4>, tensor<!i4>) -> tensor<4x!i4>
    "func.return"(%0) : (tensor<4x!i4>) -> ()
  }) {function_type = (tensor<4x5x!i4>, tensor<!i4>) -> tensor<4x!i4>, sym_name = "main"} : () -> ()
}
