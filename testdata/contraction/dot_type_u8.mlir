// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[131, 128, 133, 123], [125, 133, 127, 132], [130, 122, 122, 130]]> : tensor<3x4xui8>
// args: dense<[[4, 0], [3, 3], [4, 6], [5, 2]]> : tensor<4x2xui8>
// expect: dense<[[100, 101], [101, 101], [98, 97]]> : tensor<3x2xui8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<u8:f32, 5.000000e-01:128>>, %arg1: tensor<4x2x!quant.uniform<u8:f32, 2.500000e-01>>) -> tensor<3x2x!quant.uniform<u8:f32, 2.000000e+00:100>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x!quant.uniform<u8:f32, 5.000000e-01:128>>, tensor<4x2x!quant.uniform<u8:f32, 2.500000e-01>>) -> tensor<3x2x!quant.uniform<u8:f32, 2.000000e+00:100>>
    "func.return"(%r0) : (tensor<3x2x!quant.uniform<u8:f32, 2.000000e+00:100>>) -> ()
  }
}
