// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[124, 127], [127, 127], [127, 132], [122, 130]], [[131, 127], [130, 131], [129, 131], [123, 125]], [[124, 125], [130, 125], [127, 122], [128, 128]]]> : tensor<3x4x2xui8>
// args: dense<[[[4, 5, 2, 1, 1], [6, 6, 2, 1, 1]], [[3, 0, 2, 3, 4], [4, 3, 3, 6, 4]], [[2, 6, 5, 5, 2], [4, 2, 3, 5, 0]], [[0, 6, 1, 4, 5], [3, 2, 3, 3, 6]]]> : tensor<4x2x5xui8>
// expect: dense<[[[99, 96, 99, 98, 98], [101, 99, 101, 100, 99], [99, 98, 99, 100, 100]], [[101, 100, 101, 101, 100], [101, 100, 100, 101, 100], [97, 98, 98, 97, 99]]]> : tensor<2x3x5xui8>
module {
  func.func @main(%arg0: tensor<3x4x2x!quant.uniform<u8:f32, 5.000000e-01:128>>, %arg1: tensor<4x2x5x!quant.uniform<u8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<u8:f32, 2.000000e+00:100>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2x!quant.uniform<u8:f32, 5.000000e-01:128>>, tensor<4x2x5x!quant.uniform<u8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<u8:f32, 2.000000e+00:100>>
    "func.return"(%r0) : (tensor<2x3x5x!quant.uniform<u8:f32, 2.000000e+00:100>>) -> ()
  }
}
