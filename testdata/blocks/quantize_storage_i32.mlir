// clause: uniform_quantize: clamped to the storage range
// Numbers beyond the range, at ties, and near zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, 0.0], [0.35, 2.1], [1.0e+09, -1.0e+09], [0.04, 1.25]]> : tensor<4x2xf32>
// expect: dense<[[69990, -3], [70004, 0], [2147483647, -769160768], [0, 70001]]> : tensor<4x2xi32>
// wrong (zero point added after rounding, as ONNX): dense<[[69990, -3], [70004, 0], [2147483647, -769160784], [0, 70001]]> : tensor<4x2xi32>
// wrong (rounded toward zero; rounded down): dense<[[69990, -3], [70003, 0], [2147483647, -769160768], [0, 70000]]> : tensor<4x2xi32>
// wrong (wrapped instead of saturated): dense<[[69990, -3], [70004, 0], [-961634048, -769160768], [0, 70001]]> : tensor<4x2xi32>
// wrong (the rounded bound converted back with overflow, as x86): dense<[[69990, -3], [70004, 0], [-2147483648, -769160768], [0, 70001]]> : tensor<4x2xi32>
// wrong (scales per block left out): dense<[[69999, -3], [70000, -1], [1000000000, -999929984], [0, 70001]]> : tensor<4x2xi32>
// wrong (scale of the next block; scale of the block before): dense<[[69997, -3], [70001, -1], [2147483647, -1428501376], [0, 70002]]> : tensor<4x2xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-10, 70000], [4, 70003], [2147483647, -769230784], [70000, -2]]> : tensor<4x2xi32>
// wrong (blocks half as long): dense<[[69990, -3], [1, 70002], [2147483647, -1428571392], [0, 70001]]> : tensor<4x2xi32>
// wrong (blocks twice as long): dense<[[69990, -3], [70004, 0], [2147483647, -1428571392], [70000, -1]]> : tensor<4x2xi32>
module {
  func.func @main(%arg0: tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<i32:f32:{0:2, 1:1}, {{0.1:70000, 0.7:-3}, {0.3, 1.3:70000}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<i32:f32:{0:2, 1:1}, {{0.1:70000, 0.7:-3}, {0.3, 1.3:70000}}>>
    func.return %r : tensor<4x2x!quant.uniform<i32:f32:{0:2, 1:1}, {{0.1:70000, 0.7:-3}, {0.3, 1.3:70000}}>>
  }
}
