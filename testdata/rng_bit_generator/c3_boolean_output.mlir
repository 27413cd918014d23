// output: tensor of integer or floating-point type
// expect: violation rng_bit_generator_c3 (strict)
// expect: violation rng_bit_generator_c3 (mlir)
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi1>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi1>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xi1>) -> ()
  }
}
