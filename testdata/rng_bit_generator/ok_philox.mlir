// Three words.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<3xf32>) {
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xf32>)
    "func.return"(%0#0, %0#1) : (tensor<3xui64>, tensor<3xf32>) -> ()
  }
}
