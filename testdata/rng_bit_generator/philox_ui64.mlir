// clause: rng_bit_generator: PHILOX in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xui64>
// expect: dense<[1, 4]> : tensor<2xui64>
// expect: dense<[[12229731395331991369, 3437131457114678231], [13465615291114923006, 9328616520744100567]]> : tensor<2x2xui64>
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<2x2xui64>) -> ()
  }
}
