// clause: pad: negative padding after interior padding
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4.25, 0.25, 1.25, 5.0], [4.5, 1.0, 4.5, 1.0], [1.75, -0.5, 4.25, -6.0]]> : tensor<3x4xf32>
// args: dense<2.75> : tensor<f32>
// expect: dense<[[2.75, 2.75, 2.75, 2.75, 2.75], [2.75, 2.75, 2.75, 2.75, 2.75], [1.0, 2.75, 4.5, 2.75, 1.0], [2.75, 2.75, 2.75, 2.75, 2.75]]> : tensor<4x5xf32>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) -> tensor<4x5xf32> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -1, -2>, edge_padding_high = array<i64: -2, 0>, interior_padding = array<i64: 2, 1>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x5xf32>
    "func.return"(%r0) : (tensor<4x5xf32>) -> ()
  }
}
