// clause: add: dequantize, add, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[3, 3, 0, 0, 2], [2, 0, 0, 3, 3], [3, 0, 0, 2, 3], [0, 0, 2, 2, 0]]> : tensor<4x5xui2>
// args: dense<2> : tensor<ui2>
// expect: dense<[2, 3, 3, 1]> : tensor<4xui2>
!u2 = !quant.uniform<u2:f32, 1.0:1>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!u2>, %init: tensor<!u2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!u2>, %b0: tensor<!u2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u2>, tensor<!u2>) -> tensor<!u2>
      "stablehlo.return"(%r0) : (tensor<!u2>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!u2>, tensor<!u2>) -> tensor<4x!u2>
    "func.return"(%0) : (tensor<4x!u2>) -> ()
  }) {function_type = (tensor<4x5x!u2>, tensor<!u2>) -> tensor<4x!u2>, sym_name = "main"} : () -> ()
}
