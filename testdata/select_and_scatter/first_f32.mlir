// clause: exec(schedule): the left operand comes first
// The body returns its first argument: every order gives the converted init value, or the first element
// where that comes before; none gives the last.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[-6.6772647, 1.4063948, -6.9232707, 1.5911001, 0.51828945, 3.4690561, 6.0969725]> : tensor<7xf32>
// args: dense<[-1.3747568, -6.9104433, 6.409569, -9.279655, -8.855422, -7.656631, 6.3603735]> : tensor<7xf32>
// args: dense<1.0e+01> : tensor<f32>
// expect: dense<[1.0e+01, 1.0e+01, 1.0e+01, 1.0e+01, 1.0e+01, 1.0e+01, 1.0e+01]> : tensor<7xf32>
// permitted (init value last): dense<[1.0e+01, -1.3747568, 1.0e+01, 6.409569, 1.0e+01, -8.855422, -7.656631]> : tensor<7xf32>
// wrong (operands of the body swapped): dense<[1.0e+01, -6.9104433, 1.0e+01, -9.279655, 1.0e+01, -8.855422, 6.3603735]> : tensor<7xf32>
module {
  "func.func"() ({
  ^bb0(%operand: tensor<7xf32>, %source: tensor<7xf32>, %init_value: tensor<f32>):
    %0 = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %p = "stablehlo.compare"(%a0, %b0) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      "stablehlo.return"(%a0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7xf32>, tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    "func.return"(%0) : (tensor<7xf32>) -> ()
  }) {function_type = (tensor<7xf32>, tensor<7xf32>, tensor<f32>) -> tensor<7xf32>, sym_name = "main"} : () -> ()
}
