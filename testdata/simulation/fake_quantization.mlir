// clause: fake quantization: floor((clamp(x) - nudged_min) / scale - zero + 0.5) * scale; its gradient passes inside the range
// With two bits, narrow, the range -1 to 1 has the numbers -1, 0, 1: ties go up. A range of zeros gives 0, and passes its gradient.
// derivation: by hand: floor(clamp(x, -1, 1) + 0.5); gradients of what is clamped go to that bound
// schedules: any
// args: dense<[-2.5, -0.5, 0.25, 0.5, 7.0]> : tensor<5xf32>
// args: dense<[1.0, 2.0, 4.0, 8.0, 16.0]> : tensor<5xf32>
// expect: dense<[-1.0, 0.0, 0.0, 1.0, 1.0]> : tensor<5xf32>
// expect: dense<[-1.0, 0.0, 0.0, 0.0, 1.0]> : tensor<5xf32>
// expect: dense<[-1.0, 0.0, 0.0, 1.0, 1.0]> : tensor<5xf32>
// expect: dense<[0.0, 2.0, 4.0, 8.0, 0.0]> : tensor<5xf32>
// expect: dense<[-1.0, 0.0, 0.0, 1.0, 1.0]> : tensor<5xf32>
// expect: dense<[0.0, 2.0, 4.0, 8.0, 0.0]> : tensor<5xf32>
// expect: dense<1.0> : tensor<f32>
// expect: dense<16.0> : tensor<f32>
// expect: dense<[-1.0, 0.0, 0.0, 0.0, 1.0]> : tensor<5xf32>
// expect: dense<[0.0, 2.0, 4.0, 8.0, 0.0]> : tensor<5xf32>
// expect: dense<[1.0, 0.0, 0.0, 0.0, 0.0]> : tensor<5xf32>
// expect: dense<[0.0, 0.0, 0.0, 0.0, 16.0]> : tensor<5xf32>
module {
  func.func @main(%x: tensor<5xf32>, %g: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
    %least = stablehlo.constant dense<-1.0> : tensor<f32>
    %most = stablehlo.constant dense<1.0> : tensor<f32>
    %mins = stablehlo.constant dense<[-1.0, -1.0, -1.0, 0.0, -1.0]> : tensor<5xf32>
    %maxs = stablehlo.constant dense<[1.0, 1.0, 1.0, 0.0, 1.0]> : tensor<5xf32>
    %0 = "quant.const_fake_quant"(%x) {min = -1.0 : f32, max = 1.0 : f32, num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>) -> tensor<5xf32>
    %1 = "quant.const_fake_quant_per_axis"(%x) {min = [-1.0 : f32, -1.0 : f32, -1.0 : f32, 0.0 : f32, -1.0 : f32], max = [1.0 : f32, 1.0 : f32, 1.0 : f32, 0.0 : f32, 1.0 : f32], axis = 0 : i64, num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>) -> tensor<5xf32>
    %2 = "tf.FakeQuantWithMinMaxArgs"(%x) {min = -1.0 : f32, max = 1.0 : f32, num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>) -> tensor<5xf32>
    %3 = "tf.FakeQuantWithMinMaxArgsGradient"(%g, %x) {min = -1.0 : f32, max = 1.0 : f32, num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %4 = "tf.FakeQuantWithMinMaxVars"(%x, %least, %most) {num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>, tensor<f32>, tensor<f32>) -> tensor<5xf32>
    %5:3 = "tf.FakeQuantWithMinMaxVarsGradient"(%g, %x, %least, %most) {num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>, tensor<f32>)
    %6 = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %mins, %maxs) {num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %7:3 = "tf.FakeQuantWithMinMaxVarsPerChannelGradient"(%g, %x, %mins, %maxs) {num_bits = 2 : i64, narrow_range = true} : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
    func.return %0, %1, %2, %3, %4, %5#0, %5#1, %5#2, %6, %7#0, %7#1, %7#2 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
}
