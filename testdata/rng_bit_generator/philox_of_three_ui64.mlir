// clause: rng_bit_generator: PHILOX in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 18446744073709551615, 7]> : tensor<3xui64>
// expect: dense<[1, 1, 8]> : tensor<3xui64>
// expect: dense<[[13269928108250235343, 17237531806544061313], [9277879332089801029, 4718610639034359773]]> : tensor<2x2xui64>
module {
  func.func @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui64>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui64>)
    "func.return"(%0#0, %0#1) : (tensor<3xui64>, tensor<2x2xui64>) -> ()
  }
}
