// clause: uniform_dequantize: fl(fl(x - zero_point) * scale)
// The difference is exact; it is rounded to f32 once, and the product once more.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-2147483648, 2147483647], [628848384, 1621024090], [1645013578, -808304122], [827025884, -551412228]]> : tensor<4x2xi32>
// expect: dense<[[-2.1475536e+08, 1.5032385e+09], [62877836.0, 1.1347169e+09], [4.935041e+08, -1.05088634e+09], [2.4810776e+08, -7.169269e+08]]> : tensor<4x2xf32>
// wrong (scales per block left out): dense<[[-2.1475535e+09, 2.1474836e+09], [6.287784e+08, 1.6210241e+09], [1.6450136e+09, -8.0837414e+08], [8.2702586e+08, -5.5148224e+08]]> : tensor<4x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-6.442661e+08, 2.7917286e+09], [1.8863352e+08, 2.1073313e+09], [1.6450136e+08, -5.658619e+08], [82702584.0, -3.8603757e+08]]> : tensor<4x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-2.1474837e+08, 1.5031895e+09], [6.288484e+07, 1.1346679e+09], [4.934831e+08, -1.0507953e+09], [2.4808678e+08, -7.1683584e+08]]> : tensor<4x2xf32>
// wrong (blocks half as long): dense<[[-2.1475536e+08, 1.5032385e+09], [1.8865453e+08, 2.1072403e+09], [1.6449437e+08, -5.6581286e+08], [2.4810776e+08, -7.169269e+08]]> : tensor<4x2xf32>
// wrong (blocks twice as long): dense<[[-2.1475536e+08, 1.5032385e+09], [62877836.0, 1.1347169e+09], [1.6449437e+08, -5.6581286e+08], [8.269559e+07, -3.8598854e+08]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<i32:f32:{0:2, 1:1}, {{0.1:70000, 0.7:-3}, {0.3, 1.3:70000}}>>) -> tensor<4x2xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x2x!quant.uniform<i32:f32:{0:2, 1:1}, {{0.1:70000, 0.7:-3}, {0.3, 1.3:70000}}>>) -> tensor<4x2xf32>
    func.return %r : tensor<4x2xf32>
  }
}
