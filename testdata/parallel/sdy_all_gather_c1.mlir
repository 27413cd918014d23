// It changes no type.
// expect: violation sdy_all_gather_c1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<3xf32>) {
    %r0 = "sdy.all_gather"(%arg0) {sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>} : (tensor<2xf32>) -> (tensor<3xf32>)
    "func.return"(%r0) : (tensor<3xf32>) -> ()
  }
}
