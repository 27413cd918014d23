// clause: compare: -0 = +0
// Of equals GE keeps the first.
// derivation: by hand: -0 >= +0.
// args: dense<[-0.0, 0.0]> : tensor<2xf32>
// args: dense<[5.0]> : tensor<1xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[5.0, 0.0]> : tensor<2xf32>
// wrong (-0 < +0): dense<[0.0, 5.0]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<2xf32>, %source: tensor<1xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 2>} : (tensor<2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}
