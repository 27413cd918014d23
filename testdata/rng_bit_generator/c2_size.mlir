// (C2) size(initial_state)
// expect: violation rng_bit_generator_c2 (strict)
module {
  func.func @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui32>)
    "func.return"(%0#0, %0#1) : (tensor<3xui64>, tensor<3xui32>) -> ()
  }
}
