// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-4.7026987, -6.908515, -4.3586383, -4.8049617, 5.0767274, -3.7712688, -3.033655]> : tensor<7xf32>
// args: dense<[9.60033, 4.255784, -3.5308778, -7.8310137, 8.719709, -8.468654, 1.8855395]> : tensor<7xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[9.60033, 0.0, -3.5308778, 0.0, -8.468654, 0.0, 1.8855395]> : tensor<7xf32>
// permitted (init value last; init value first and last): dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<7xf32>
// wrong (elements in descending order): dense<[9.60033, 0.0, 4.255784, 0.0, -7.8310137, 0.0, 1.8855395]> : tensor<7xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xf32>, %source: tensor<7xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      "stablehlo.return"(%b0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf32>, tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    "func.return"(%0) : (tensor<7xf32>) -> ()
  }) {function_type = (tensor<7xf32>, tensor<7xf32>, tensor<f32>) -> tensor<7xf32>, sym_name = "main"} : () -> ()
}
