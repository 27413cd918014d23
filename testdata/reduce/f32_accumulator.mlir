// clause: add: the quantized sum goes through the expressed type
// An i32 accumulator with f32 expressed holds no odd number above 2^24.
// derivation: by hand: 16777217 is rounded to 16777216, three times.
// args: dense<[16777216, 1, 1, 1]> : tensor<4xi32>
// args: dense<0> : tensor<i32>
// expect: dense<16777216> : tensor<i32>
// permitted (balanced): dense<16777220> : tensor<i32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<16777219> : tensor<i32>
!i32 = !quant.uniform<i32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4x!i32>, tensor<!i32>) -> tensor<!i32>
    "func.return"(%0) : (tensor<!i32>) -> ()
  }) {function_type = (tensor<4x!i32>, tensor<!i32>) -> tensor<!i32>, sym_name = "main"} : () -> ()
}
