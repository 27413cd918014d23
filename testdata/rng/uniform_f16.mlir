// clause: rng: numbers of the interval [a, b) (erratum E34)
// It has one number, so that every implementation gives it; b itself never occurs.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<2047.0> : tensor<f16>
// args: dense<2048.0> : tensor<f16>
// args: dense<[9]> : tensor<1xi64>
// expect: dense<[2047.0, 2047.0, 2047.0, 2047.0, 2047.0, 2047.0, 2047.0, 2047.0, 2047.0]> : tensor<9xf16>
module {
  func.func @main(%arg0: tensor<f16>, %arg1: tensor<f16>, %arg2: tensor<1xi64>) -> tensor<9xf16> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f16>, tensor<f16>, tensor<1xi64>) -> tensor<9xf16>
    "func.return"(%0) : (tensor<9xf16>) -> ()
  }
}
