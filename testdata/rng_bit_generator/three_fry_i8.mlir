// clause: rng_bit_generator: THREE_FRY in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xui64>
// expect: dense<[1, 4]> : tensor<2xui64>
// expect: dense<[84, 59, -45]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi8>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi8>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xi8>) -> ()
  }
}
