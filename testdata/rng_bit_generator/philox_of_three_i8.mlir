// clause: rng_bit_generator: PHILOX in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 18446744073709551615, 7]> : tensor<3xui64>
// expect: dense<[1, 0, 8]> : tensor<3xui64>
// expect: dense<[-49, 78, -127]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<3xi8>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xi8>)
    "func.return"(%0#0, %0#1) : (tensor<3xui64>, tensor<3xi8>) -> ()
  }
}
