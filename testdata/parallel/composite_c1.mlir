// The name has no namespace.
// expect: violation composite_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
    %r0 = "stablehlo.composite"(%arg0) {name = "b", composite_attributes = {}, decomposition = @part} : (tensor<2xf32>) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
  func.func private @part(%y: tensor<2xf32>) -> tensor<2xf32> {
    "func.return"(%y) : (tensor<2xf32>) -> ()
  }
}
