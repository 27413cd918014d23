// clause: rng_bit_generator: PHILOX in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 18446744073709551615, 7]> : tensor<3xui64>
// expect: dense<[1, 3, 8]> : tensor<3xui64>
// expect: dense<[[2939814351, 3089645902, 2240701313, 4013425625, 2720442693], [2160174616, 1023778781, 1098637152, 2444052593, 4292622144], [3266810743, 1180901717, 2779451144, 1996830644, 1243280826]]> : tensor<3x5xui32>
module {
  func.func @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<3xui64>, tensor<3x5xui32>) -> ()
  }
}
