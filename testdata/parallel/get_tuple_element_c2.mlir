// The first element is of another type.
// expect: violation get_tuple_element_c2 (strict)
module {
  func.func public @main(%arg0: tuple<tensor<2xf32>, !stablehlo.token>) -> (tensor<3xf32>) {
    %r0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<2xf32>, !stablehlo.token>) -> (tensor<3xf32>)
    "func.return"(%r0) : (tensor<3xf32>) -> ()
  }
}
