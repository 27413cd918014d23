// clause: dot_general: products of dequantized elements, each with its block's parameters
// 64 weights in two blocks of 32: blocks of 16 are wrong.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.25, -0.5, 0.25, 0.5, -4.0, 0.25, 0.25, 3.0, 0.5, 1.5, 1.5, -1.5, 4.0, -3.0, -4.0, 4.0, 0.5, 1.0, 2.0, 0.25, -2.0, 3.0, -1.0, 1.0, -4.0, 1.5, -2.0, -2.0, 1.0, 0.5, -0.5, -1.0, -1.0, -1.0, 4.0, 4.0, 3.0, -1.0, 0.5, 3.0, -1.5, -1.0, 1.0, 1.5, 3.0, 0.5, -3.0, -2.0, 3.0, -2.0, -3.0, -1.5, 1.5, 0.25, 1.0, 1.5, -1.5, 1.0, -0.5, 0.25, 1.0, 0.5, -2.0, 1.5]]> : tensor<1x64xf32>
// args: dense<"0x0E0F0A0D020A020F03000E080504050E040002090700030C0E0A000F0404060501080C09050707080A0406060F0B0F0C0C0B060A09080C0F09010C00050B0B0A010E04000F0808010600020F070F0F08050109080E07050A000F05030F0709020503040E08010A0E070E010E0F060F00010B070D0F0705090C04090E080C0509"> : tensor<64x2xi4>
// expect: dense<[[169.125, -19.75]]> : tensor<1x2xf32>
// wrong (scales per block left out): dense<[[156.75, -10.5]]> : tensor<1x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[222.75, 9.25]]> : tensor<1x2xf32>
// wrong (blocks half as long): dense<[[304.875, 29.5]]> : tensor<1x2xf32>
// wrong (blocks twice as long): dense<[[78.375, -2.625]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x64xf32>, %arg1: tensor<64x2x!quant.uniform<i4:f32:{0:32, 1:1}, {{0.5:1, 0.25:-2}, {2.0:1, 0.75:-2}}>>) -> tensor<1x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x64xf32>, tensor<64x2x!quant.uniform<i4:f32:{0:32, 1:1}, {{0.5:1, 0.25:-2}, {2.0:1, 0.75:-2}}>>) -> tensor<1x2xf32>
    func.return %r : tensor<1x2xf32>
  }
}
