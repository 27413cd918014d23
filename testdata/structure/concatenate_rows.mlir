// clause: concatenate: along the first
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-53, -7]]> : tensor<1x2xi8>
// args: dense<[[-12, -124], [122, 59], [-62, -113]]> : tensor<3x2xi8>
// expect: dense<[[-53, -7], [-12, -124], [122, 59], [-62, -113]]> : tensor<4x2xi8>
module {
  func.func @main(%arg0: tensor<1x2xi8>, %arg1: tensor<3x2xi8>) -> tensor<4x2xi8> {
    %r0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<1x2xi8>, tensor<3x2xi8>) -> tensor<4x2xi8>
    "func.return"(%r0) : (tensor<4x2xi8>) -> ()
  }
}
