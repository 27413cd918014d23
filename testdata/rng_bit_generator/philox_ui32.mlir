// clause: rng_bit_generator: PHILOX in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xui64>
// expect: dense<[1, 6]> : tensor<2xui64>
// expect: dense<[[2100602697, 2847456232, 2074354647, 800269529, 1828267006], [3135207875, 3972719319, 2171987788, 433598563, 2511543348], [3408178465, 3374076784, 578703075, 2627772353, 2538312612]]> : tensor<3x5xui32>
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x5xui32>) -> ()
  }
}
