// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// Elements of i8 with scales in f32, which bf16 rounds.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, 4, 0, 1, 3, 4, -1, 0], [-3, 2, 4, -1, 0, 1, 2, -2]]> : tensor<2x8xi8>
// args: dense<[[0, 4], [0, 0], [0, -1], [3, -1], [4, -4], [-1, -4], [-3, -3], [0, 2]]> : tensor<8x2xi8>
// args: dense<[[0.1, 0.7], [0.3, 1.3]]> : tensor<2x2xf32>
// args: dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
// expect: dense<[[7.96875, -34.25], [-1.0e+01, -45.5]]> : tensor<2x2xbf16>
// permitted (balanced): dense<[[8.0, -34.5], [-9.9375, -45.5]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[14.0, -22.0], [-1.0e+01, -29.0]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[3.1875, -0.8203125], [-6.0, -47.5]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[6.9375, -62.75], [-4.5, -47.0]]> : tensor<2x2xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xi8>, %b: tensor<8x2xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xf32>) -> tensor<2x2xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x2x4xf32>) -> tensor<2x8xf32>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x2xf32>) -> tensor<2x4x2xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x4x2xf32>) -> tensor<8x2xf32>
    %4 = stablehlo.convert %a : (tensor<2x8xi8>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x2xi8>) -> tensor<8x2xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x2xf32>) -> tensor<8x2xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x2xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x2xbf16>) -> tensor<2x2xbf16>
    return %10 : tensor<2x2xbf16>
  }
  func.func @main(%arg0: tensor<2x8xi8>, %arg1: tensor<8x2xi8>, %arg2: tensor<2x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x2xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xi8>, tensor<8x2xi8>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
