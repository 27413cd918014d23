// clause: convolution: products of dequantized elements, each with its block's parameters
// Padding is the number 0, whatever the zero points of blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-7, -2], [5, -4], [2, -5]], [[3, 2], [7, -2], [1, 5]], [[2, 5], [0, -7], [1, 1]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[3, 7, 4], [2, 0, 3]], [[-2, 7, -5], [2, -2, 2]]], [[[1, -4, -6], [-7, 4, 4]], [[-7, 4, 1], [-5, -8, -7]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[350, -60, 50], [28, 248, 290], [150, -40, -60], [80, -76, -68]], [[86, -228, 210], [-288, -116, -236], [10, -192, -278], [-92, 8, -12]], [[12, -36, -28], [40, 220, 6], [208, -32, 46], [20, -24, 28]], [[28, -24, 40], [-36, -88, 0], [-96, -160, -104], [-32, -56, -44]]]]> : tensor<1x4x4x3xi32>
// wrong (scales per block left out): dense<[[[[760, 0, 200], [240, 544, 600], [536, -56, -128], [320, -344, -328]], [[104, -432, 360], [-688, -176, -608], [-144, -608, -984], [-352, 0, -136]], [[-16, -120, -112], [64, 720, 160], [592, -296, -176], [112, -80, 48]], [[88, -48, 112], [-200, -160, -120], [-384, -400, -440], [-96, -128, -128]]]]> : tensor<1x4x4x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[[220, 60, 100], [152, 160, 160], [252, -2, -36], [160, -182, -178]], [[-8, -96, 60], [-228, -16, -220], [-118, -264, -460], [-172, -8, -90]], [[-24, -54, -56], [8, 320, 114], [236, -190, -178], [64, -36, 8]], [[38, -12, 44], [-114, -32, -90], [-192, -140, -226], [-40, -40, -52]]]]> : tensor<1x4x4x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[[[260, -150, -40], [4, 224, 266], [252, 62, 42], [116, -40, -32]], [[2, -312, 126], [-228, -56, -176], [154, -48, -134], [-92, 8, -12]], [[-6, -54, -46], [124, 304, 90], [262, 22, 100], [-28, -72, -20]], [[4, -48, 16], [-36, -88, 0], [-84, -148, -92], [-44, -68, -56]]]]> : tensor<1x4x4x3xi32>
// wrong (blocks twice as long): dense<[[[[440, 60, 160], [264, 416, 444], [448, 152, 116], [256, -76, -68]], [[124, -144, 252], [-128, 128, -88], [144, -88, -276], [-104, 72, 4]], [[-20, -72, -68], [200, 528, 248], [476, 32, 92], [56, -40, 24]], [[20, -48, 32], [-4, 16, 36], [-48, -56, -76], [-24, -40, -40]]]]> : tensor<1x4x4x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.5:1}, {0.25:-2}}}}>>) -> tensor<1x4x4x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.5:1}, {0.25:-2}}}}>>) -> tensor<1x4x4x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x4x4x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
