// clause: every float operation rounds once, in its own type
// Six windows select one element; each sum of 16 and 1 is 16 again.
// derivation: by hand: 16 + 16 + 16; 51 would round to 52.
// args: dense<[0x00, 0x00, 0x00, 0x00, 0x00, 0x51, 0x00, 0x00, 0x00, 0x00, 0x00]> : tensor<11xf8E4M3FN>
// args: dense<[0x58, 0x38, 0x58, 0x38, 0x58, 0x38]> : tensor<6xf8E4M3FN>
// args: dense<0x00> : tensor<f8E4M3FN>
// expect: dense<[0x00, 0x00, 0x00, 0x00, 0x00, 0x64, 0x00, 0x00, 0x00, 0x00, 0x00]> : tensor<11xf8E4M3FN>
// wrong (accumulated in f32 and rounded once): dense<[0x00, 0x00, 0x00, 0x00, 0x00, 0x65, 0x00, 0x00, 0x00, 0x00, 0x00]> : tensor<11xf8E4M3FN>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<11xf8E4M3FN>, %source: tensor<6xf8E4M3FN>, %init_value: tensor<f8E4M3FN>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f8E4M3FN>, %b0: tensor<f8E4M3FN>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f8E4M3FN>, %b0: tensor<f8E4M3FN>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
      "stablehlo.return"(%r0) : (tensor<f8E4M3FN>) -> ()
    }) {window_dimensions = array<i64: 6>} : (tensor<11xf8E4M3FN>, tensor<6xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<11xf8E4M3FN>
    "func.return"(%0) : (tensor<11xf8E4M3FN>) -> ()
  }) {function_type = (tensor<11xf8E4M3FN>, tensor<6xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<11xf8E4M3FN>, sym_name = "main"} : () -> ()
}
