// clause: concatenate: inputs in their order along dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[true], [true]]> : tensor<2x1xi1>
// args: dense<[[true, false, true], [true, true, true]]> : tensor<2x3xi1>
// args: dense<> : tensor<2x0xi1>
// args: dense<[[false, true], [false, true]]> : tensor<2x2xi1>
// expect: dense<[[true, true, false, true, false, true], [true, true, true, true, false, true]]> : tensor<2x6xi1>
module {
  func.func @main(%arg0: tensor<2x1xi1>, %arg1: tensor<2x3xi1>, %arg2: tensor<2x0xi1>, %arg3: tensor<2x2xi1>) -> tensor<2x6xi1> {
    %r0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2, %arg3) {dimension = 1 : i64} : (tensor<2x1xi1>, tensor<2x3xi1>, tensor<2x0xi1>, tensor<2x2xi1>) -> tensor<2x6xi1>
    "func.return"(%r0) : (tensor<2x6xi1>) -> ()
  }
}
