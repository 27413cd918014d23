// clause: exec(schedule): the left operand comes first
// The body returns its first argument: every order gives the converted init value, or the first element
// where that comes before; none gives the last.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[-6.6772647, 1.4063948, -6.9232707, 1.5911001, 0.51828945, 3.4690561], [6.0969725, -1.3747568, -6.9104433, 6.409569, -9.279655, -8.855422]]> : tensor<2x6xf32>
// args: dense<1.0e+01> : tensor<f32>
// expect: dense<[1.0e+01, 1.0e+01]> : tensor<2xf32>
// permitted (init value last): dense<[-6.6772647, 6.0969725]> : tensor<2xf32>
// wrong (operands of the body swapped): dense<[3.4690561, -8.855422]> : tensor<2xf32>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6xf32>, %init: tensor<f32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      "stablehlo.return"(%a0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
}
