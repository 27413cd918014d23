// clause: concatenate: inputs in their order along dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1], [-2]]> : tensor<2x1xi4>
// args: dense<[[-4, -2, 7], [-5, -5, -5]]> : tensor<2x3xi4>
// args: dense<> : tensor<2x0xi4>
// args: dense<[[7, 3], [5, 7]]> : tensor<2x2xi4>
// expect: dense<[[1, -4, -2, 7, 7, 3], [-2, -5, -5, -5, 5, 7]]> : tensor<2x6xi4>
module {
  func.func @main(%arg0: tensor<2x1xi4>, %arg1: tensor<2x3xi4>, %arg2: tensor<2x0xi4>, %arg3: tensor<2x2xi4>) -> tensor<2x6xi4> {
    %r0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2, %arg3) {dimension = 1 : i64} : (tensor<2x1xi4>, tensor<2x3xi4>, tensor<2x0xi4>, tensor<2x2xi4>) -> tensor<2x6xi4>
    "func.return"(%r0) : (tensor<2x6xi4>) -> ()
  }
}
