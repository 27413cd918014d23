// clause: exec(schedule): any number of init values (erratum E9)
// The init value is no identity; an implementation that starts every block of 32 from it counts it three
// times.
// derivation: by hand: 1 + 70.
// args: dense<1.0> : tensor<70xf32>
// args: dense<1.0> : tensor<f32>
// expect: dense<71.0> : tensor<f32>
// permitted (init value twice; init value first and last): dense<72.0> : tensor<f32>
// permitted (init value before every element): dense<141.0> : tensor<f32>
// wrong (the rest after two blocks of 32 left out): dense<65.0> : tensor<f32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<70xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<70xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) {function_type = (tensor<70xf32>, tensor<f32>) -> tensor<f32>, sym_name = "main"} : () -> ()
}
