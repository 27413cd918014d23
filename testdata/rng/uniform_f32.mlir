// clause: rng: implementation-defined, in the range (erratum E34)
// From a fixed state; b itself never occurs.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<-2.5> : tensor<f32>
// args: dense<3.0> : tensor<f32>
// args: dense<[2,3]> : tensor<2xi64>
// expect: dense<[[0.8027447, 1.6436516, 2.9159], [-2.3878853, 1.102468, -2.1929495]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) -> tensor<2x3xf32> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }
}
