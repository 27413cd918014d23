// (I1) rng_algorithm: enum
// expect: violation rng_bit_generator_i1 (strict)
// expect: violation rng_bit_generator_i1 (mlir)
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xui32>) -> ()
  }
}
