// The tuple has two elements.
// expect: violation get_tuple_element_c1 (strict)
module {
  func.func public @main(%arg0: tuple<tensor<2xf32>, !stablehlo.token>) -> (tensor<2xf32>) {
    %r0 = "stablehlo.get_tuple_element"(%arg0) {index = 2 : i32} : (tuple<tensor<2xf32>, !stablehlo.token>) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
