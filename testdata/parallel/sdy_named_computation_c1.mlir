// The body gives two elements.
// expect: violation sdy_named_computation_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<3xf32>) {
    %r0 = "sdy.named_computation"(%arg0) ({
    ^bb0(%a: tensor<2xf32>):
      "sdy.return"(%a) : (tensor<2xf32>) -> ()
    }) {name = "f"} : (tensor<2xf32>) -> (tensor<3xf32>)
    "func.return"(%r0) : (tensor<3xf32>) -> ()
  }
}
