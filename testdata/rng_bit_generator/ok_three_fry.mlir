// Two words.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xui32>) -> ()
  }
}
