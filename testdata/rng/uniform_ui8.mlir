// clause: rng: numbers of the interval [a, b) (erratum E34)
// It has one number, so that every implementation gives it; b itself never occurs.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<0> : tensor<ui8>
// args: dense<1> : tensor<ui8>
// args: dense<[4]> : tensor<1xi64>
// expect: dense<[0, 0, 0, 0]> : tensor<4xui8>
module {
  func.func @main(%arg0: tensor<ui8>, %arg1: tensor<ui8>, %arg2: tensor<1xi64>) -> tensor<4xui8> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<ui8>, tensor<ui8>, tensor<1xi64>) -> tensor<4xui8>
    "func.return"(%0) : (tensor<4xui8>) -> ()
  }
}
