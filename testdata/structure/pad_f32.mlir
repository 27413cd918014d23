// clause: pad: low, high and interior padding, negative ones crop
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-3.5, 5.75, 2.0, -0.5], [0.0, -2.5, -0.5, 4.0], [-2.75, 2.5, 4.0, 4.0]]> : tensor<3x4xf32>
// args: dense<-2.75> : tensor<f32>
// expect: dense<[[-2.75, -2.75, -2.75], [5.75, 2.0, -0.5], [-2.75, -2.75, -2.75], [-2.5, -0.5, 4.0], [-2.75, -2.75, -2.75], [2.5, 4.0, 4.0], [-2.75, -2.75, -2.75], [-2.75, -2.75, -2.75]]> : tensor<8x3xf32>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) -> tensor<8x3xf32> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<8x3xf32>
    "func.return"(%r0) : (tensor<8x3xf32>) -> ()
  }
}
