// clause: convolution: products of dequantized elements, each with its block's parameters
// A scale for each output feature, as per axis.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[6, -2], [-3, 4], [-5, 3]], [[-7, 0], [0, 4], [4, -7]], [[-8, -6], [5, 5], [3, 0]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[-5, -1, 1], [4, -1, 4]], [[6, -2, -3], [-4, -6, -2]]], [[[7, -1, -4], [3, 5, 6]], [[1, -4, 7], [3, -1, 0]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[-616, 28, 0], [-244, 70, 752]], [[-320, -62, -176], [304, 142, 352]]]]> : tensor<1x2x2x3xi32>
// wrong (scales per block left out): dense<[[[[-1232, 112, 0], [-488, 280, 376]], [[-640, -248, -88], [608, 568, 176]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the next block): dense<[[[[-308, 224, 0], [-122, 560, 188]], [[-160, -496, -44], [152, 1136, 88]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the block before): dense<[[[[-2464, 56, 0], [-976, 140, 94]], [[-1280, -124, -22], [1216, 284, 44]]]]> : tensor<1x2x2x3xi32>
// wrong (blocks twice as long): dense<[[[[-616, 56, 0], [-244, 140, 94]], [[-320, -124, -22], [304, 284, 44]]]]> : tensor<1x2x2x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{3:1}, {{{{0.5, 0.25, 2.0}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{3:1}, {{{{0.5, 0.25, 2.0}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
