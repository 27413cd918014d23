// clause: rng_bit_generator: PHILOX in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xui64>
// expect: dense<[1, 3]> : tensor<2xui64>
// expect: dense<[73, -24, -41]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi8>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi8>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xi8>) -> ()
  }
}
