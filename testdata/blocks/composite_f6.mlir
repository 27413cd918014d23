// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// Elements of 6 bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x34, 0x08, 0x28, 0x0C, 0x14, 0x2C, 0x10, 0x38], [0x04, 0x24, 0x08, 0x28, 0x38, 0x14, 0x0C, 0x14]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x18, 0x14, 0x30], [0x24, 0x04, 0x38], [0x08, 0x24, 0x10], [0x38, 0x34, 0x10], [0x18, 0x04, 0x30], [0x04, 0x24, 0x30], [0x0C, 0x14, 0x34], [0x2C, 0x10, 0x2C]]> : tensor<8x3xf6E2M3FN>
// args: dense<[[0x7D, 0x80], [0x7E, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7D, 0x7E], [0x81, 0x7F, 0x7D]]> : tensor<2x3xf8E8M0FNU>
// expect: dense<[[152.0, -0.25, -1.125], [-59.75, 7.46875, -1.5]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[0.75, -12.25, 0.0], [-9.5, 10.75, -6.0]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-145.0, -25.0, 1.125], [12.25, 4.625, -1.5]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[-7.25, -49.75, 1.125], [-1.125, 37.0, -2.5]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf6E2M3FN>, %b: tensor<8x3xf6E2M3FN>, %s: tensor<2x2xf8E8M0FNU>, %u: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x2xf8E8M0FNU>) -> tensor<2x2x4xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<2x2x4xf8E8M0FNU>) -> tensor<2x8xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x3xf8E8M0FNU>) -> tensor<2x4x3xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x4x3xf8E8M0FNU>) -> tensor<8x3xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<2x8xf6E2M3FN>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf8E8M0FNU>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x3xf6E2M3FN>) -> tensor<8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x3xf8E8M0FNU>) -> tensor<8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x8xf6E2M3FN>, %arg1: tensor<8x3xf6E2M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xf6E2M3FN>, tensor<8x3xf6E2M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
