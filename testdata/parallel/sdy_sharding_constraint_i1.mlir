// It has one operand.
// expect: violation sdy_sharding_constraint_i1 (strict)
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>) {
    %r0 = "sdy.sharding_constraint"(%arg0, %arg1) {sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
    "func.return"(%r0) : (tensor<2xf32>) -> ()
  }
}
