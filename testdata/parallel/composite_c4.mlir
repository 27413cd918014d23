// The function gives two elements.
// expect: violation composite_c4 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<3xf32>) {
    %r0 = "stablehlo.composite"(%arg0) {name = "a.b", composite_attributes = {}, decomposition = @part} : (tensor<2xf32>) -> (tensor<3xf32>)
    "func.return"(%r0) : (tensor<3xf32>) -> ()
  }
  func.func private @part(%y: tensor<2xf32>) -> tensor<2xf32> {
    "func.return"(%y) : (tensor<2xf32>) -> ()
  }
}
