// clause: minimum: dequantize, minimum, quantize at every step, whatever the type
// Integer arithmetic is the same up to a bound of the expressed type, and not beyond.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[2147483647, 2147483647, -999, -1000], [-1000, -999, 2147483647, 2147483647], [2147483647, -999, -1000, 2147483647], [-1000, -1000, 999, 1000]]> : tensor<4x4xi32>
// args: dense<2147483647> : tensor<i32>
// expect: dense<[-1000, -1000, -1000, -1000]> : tensor<4xi32>
!i32 = !quant.uniform<i32<-1000:2147483647>:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x4x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.minimum"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<4x4x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<4x4x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
