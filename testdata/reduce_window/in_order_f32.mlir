// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-4.7026987, -6.908515, -4.3586383, -4.8049617, 5.0767274, -3.7712688, -3.033655]> : tensor<7xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[-6.908515, -4.8049617, -3.7712688, 0.0]> : tensor<4xf32>
// permitted (init value last; init value first and last): dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
// wrong (elements in descending order): dense<[0.0, -6.908515, -4.8049617, -3.7712688]> : tensor<4xf32>
// wrong (padding left out, as XLA): dense<[-6.908515, -4.8049617, -3.7712688, -3.033655]> : tensor<4xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      "stablehlo.return"(%b0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf32>, tensor<f32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<7xf32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"} : () -> ()
}
