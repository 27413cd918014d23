// (I2) initial_state: 1-dimensional tensor of type ui64
// expect: violation rng_bit_generator_i2 (strict)
module {
  func.func @main(%arg0: tensor<2xi64>) -> (tensor<2xi64>, tensor<3xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<3xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xi64>, tensor<3xui32>) -> ()
  }
}
