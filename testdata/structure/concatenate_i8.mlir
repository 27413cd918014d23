// clause: concatenate: inputs in their order along dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-21], [-41]]> : tensor<2x1xi8>
// args: dense<[[75, -104, -67], [103, -17, -29]]> : tensor<2x3xi8>
// args: dense<> : tensor<2x0xi8>
// args: dense<[[-65, -85], [86, -39]]> : tensor<2x2xi8>
// expect: dense<[[-21, 75, -104, -67, -65, -85], [-41, 103, -17, -29, 86, -39]]> : tensor<2x6xi8>
module {
  func.func @main(%arg0: tensor<2x1xi8>, %arg1: tensor<2x3xi8>, %arg2: tensor<2x0xi8>, %arg3: tensor<2x2xi8>) -> tensor<2x6xi8> {
    %r0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2, %arg3) {dimension = 1 : i64} : (tensor<2x1xi8>, tensor<2x3xi8>, tensor<2x0xi8>, tensor<2x2xi8>) -> tensor<2x6xi8>
    "func.return"(%r0) : (tensor<2x6xi8>) -> ()
  }
}
