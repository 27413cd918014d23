// clause: rng_bit_generator: THREE_FRY in the order of XLA's bits (erratum E33)
// The state after counts what was drawn.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xui64>
// expect: dense<[1, 11]> : tensor<2xui64>
// expect: dense<[[43444564, 2150618427, 3979645651, 3745730563, 1672743891], [2109414752, 618976052, 2534981805, 3824176357, 2868795927], [2915202000, 3844842626, 3159807845, 3120200270, 299673330]]> : tensor<3x5xui32>
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x5xui32>) -> ()
  }
}
