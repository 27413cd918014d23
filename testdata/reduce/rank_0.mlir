// clause: reduce: a tensor of rank 0
// One element and the init value.
// derivation: by hand: 2.0 + 1.5.
// args: dense<1.5> : tensor<f32>
// args: dense<2.0> : tensor<f32>
// expect: dense<3.5> : tensor<f32>
// permitted (init value twice; init value before every element; init value first and last): dense<5.5> : tensor<f32>
// wrong (the init value alone): dense<2.0> : tensor<f32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<f32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_name = "main"} : () -> ()
}
