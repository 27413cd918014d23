// clause: exec(schedule): leaves in ascending order, the left operand first
// The body returns its second argument: every order gives the last element, or the init value where it comes
// last; none gives the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-4.7026987, -6.908515, -4.3586383, -4.8049617, 5.0767274, -3.7712688], [-3.033655, 9.60033, 4.255784, -3.5308778, -7.8310137, 8.719709]]> : tensor<2x6xf32>
// args: dense<0.0> : tensor<f32>
// expect: dense<[-3.7712688, 8.719709]> : tensor<2xf32>
// permitted (init value last; init value first and last): dense<[0.0, 0.0]> : tensor<2xf32>
// wrong (elements in descending order): dense<[-4.7026987, -3.033655]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      "stablehlo.return"(%b0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}
