// clause: rng_bit_generator: THREE_FRY in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xui64>
// expect: dense<[1, 6]> : tensor<2xui64>
// expect: dense<[[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<2x2xui64>) -> ()
  }
}
