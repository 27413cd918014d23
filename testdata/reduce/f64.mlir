// clause: f64 has 53 bits
// JAX narrows 64-bit floats unless told otherwise.
// derivation: by hand: 2^24 + 1.
// args: dense<[16777216.0, 1.0]> : tensor<2xf64>
// args: dense<0.0> : tensor<f64>
// expect: dense<16777217.0> : tensor<f64>
// wrong (narrowed to f32): dense<16777216.0> : tensor<f64>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf64>, %init: tensor<f64>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f64>, %b0: tensor<f64>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%r0) : (tensor<f64>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    "func.return"(%0) : (tensor<f64>) -> ()
  }) {function_type = (tensor<2xf64>, tensor<f64>) -> tensor<f64>, sym_name = "main"} : () -> ()
}
