// clause: rng: numbers of the interval [a, b) (erratum E34)
// It has one number, so that every implementation gives it; b itself never occurs.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<16777215.0> : tensor<f32>
// args: dense<16777216.0> : tensor<f32>
// args: dense<[9]> : tensor<1xi64>
// expect: dense<[16777215.0, 16777215.0, 16777215.0, 16777215.0, 16777215.0, 16777215.0, 16777215.0, 16777215.0, 16777215.0]> : tensor<9xf32>
module {
  func.func @main(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<1xi64>) -> tensor<9xf32> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<9xf32>
    "func.return"(%0) : (tensor<9xf32>) -> ()
  }
}
