// It changes no type.
// expect: violation sdy_propagation_barrier_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<3xf32>) {
    %r0 = "sdy.propagation_barrier"(%arg0) : (tensor<2xf32>) -> (tensor<3xf32>)
    "func.return"(%r0) : (tensor<3xf32>) -> ()
  }
}
