// clause: uniform_dequantize: fl(fl(x - zero_point) * scale)
// The difference is exact; it is rounded to f32 once, and the product once more.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 65535], [63700, 980], [23275, 41581], [57451, 29586]]> : tensor<4x2xui16>
// expect: dense<[[-6553.5, 45874.5], [-183.5, 686.0], [6979.8003, -31140.2], [17232.602, -46733.7]]> : tensor<4x2xf32>
// wrong (scales per block left out): dense<[[-65535.0, 65535.0], [-1835.0, 9.8e+02], [23266.0, -23954.0], [57442.0, -35949.0]]> : tensor<4x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-19660.5, 85195.5], [-550.5, 1274.0], [2326.6, -16767.799], [5744.2, -25164.299]]> : tensor<4x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-0.90000004, 0.0], [6369.1, -45188.5], [-12678.001, 54055.297], [-2425.2002, 38461.797]]> : tensor<4x2xf32>
// wrong (blocks half as long): dense<[[-6553.5, 45874.5], [19107.3, -83921.5], [-4226.0, 29106.7], [17232.602, -46733.7]]> : tensor<4x2xf32>
// wrong (blocks twice as long): dense<[[-6553.5, 45874.5], [-183.5, 686.0], [-4226.0, 29106.7], [-808.4, 20710.2]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<u16:f32:{0:2, 1:1}, {{0.1:65535, 0.7}, {0.3:9, 1.3:65535}}>>) -> tensor<4x2xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x2x!quant.uniform<u16:f32:{0:2, 1:1}, {{0.1:65535, 0.7}, {0.3:9, 1.3:65535}}>>) -> tensor<4x2xf32>
    func.return %r : tensor<4x2xf32>
  }
}
