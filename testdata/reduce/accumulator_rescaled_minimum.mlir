// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[127, -128, 5, 6, 100], [100, 6, 5, -128, 127], [-128, 5, 6, 100, 127], [-128, 122, -11, -12, -106]]> : tensor<4x5xi8>
// args: dense<127> : tensor<i8>
// expect: dense<[-3741, -3741, -3741, -3741]> : tensor<4xi32>
!i8 = !quant.uniform<i8:f32, 0.3:-3>
!i32 = !quant.uniform<i32:f32, 0.01:9>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x5x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x5x!i8>, tensor<!i8>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<4x5x!i8>, tensor<!i8>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
