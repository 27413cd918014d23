// There is no such function.
// expect: violation composite_c2 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
    %r0 = "stablehlo.composite"(%arg0) {name = "a.b", composite_attributes = {}, decomposition = @other} : (tensor<2xf32>) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
