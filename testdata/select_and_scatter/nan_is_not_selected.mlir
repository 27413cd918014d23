// clause: compare: NaN is not GE anything
// select(a, b) is false where either is NaN: b survives.
// derivation: by hand: 1 loses to NaN, NaN to 2.
// args: dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
// args: dense<[5.0]> : tensor<1xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[0.0, 0.0, 5.0]> : tensor<3xf32>
// wrong (NaN selected, as a maximum would): dense<[0.0, 5.0, 0.0]> : tensor<3xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<3xf32>, %source: tensor<1xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>} : (tensor<3xf32>, tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) {function_type = (tensor<3xf32>, tensor<1xf32>, tensor<f32>) -> tensor<3xf32>, sym_name = "main"} : () -> ()
}
