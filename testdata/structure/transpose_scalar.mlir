// clause: transpose: nothing to permute
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<4.25> : tensor<f32>
// expect: dense<4.25> : tensor<f32>
module {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %r0 = "stablehlo.transpose"(%arg0) {permutation = array<i64>} : (tensor<f32>) -> tensor<f32>
    "func.return"(%r0) : (tensor<f32>) -> ()
  }
}
