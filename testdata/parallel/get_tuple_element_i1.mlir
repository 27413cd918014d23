// The operand is not a tuple.
// expect: violation get_tuple_element_i1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {
    %r0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tensor<2xf32>) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
