// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// Elements of f8E5M2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0xBC, 0x3E, 0xBE, 0x3E, 0xB8, 0xC2, 0xC0, 0x3E], [0xC2, 0x3C, 0x44, 0x00, 0xC0, 0xBE, 0x00, 0x40]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x3C, 0xC4, 0xC4], [0x3C, 0xBC, 0x44], [0xB8, 0x42, 0x00], [0x40, 0x3E, 0x44], [0xBE, 0xC0, 0xC0], [0xC0, 0xC2, 0xBE], [0x3C, 0x40, 0x3C], [0xC0, 0xBE, 0x00]]> : tensor<8x3xf8E5M2>
// args: dense<[[0x80, 0x7D], [0x7F, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7F, 0x7F], [0x80, 0x7E, 0x80]]> : tensor<2x3xf8E8M0FNU>
// expect: dense<[[17.875, 0.96875, 33.75], [-7.0, 23.625, 19.125]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[6.0, 4.0, 19.5], [-2.0, 28.5, 22.25]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[9.125, 7.5, 15.0], [2.0, 8.375, 14.25]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[18.75, 1.0625, 67.5], [-15.0, 12.1875, 67.0]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf8E5M2>, %b: tensor<8x3xf8E5M2>, %s: tensor<2x2xf8E8M0FNU>, %u: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x2xf8E8M0FNU>) -> tensor<2x2x4xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<2x2x4xf8E8M0FNU>) -> tensor<2x8xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x3xf8E8M0FNU>) -> tensor<2x4x3xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x4x3xf8E8M0FNU>) -> tensor<8x3xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<2x8xf8E5M2>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf8E8M0FNU>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x3xf8E5M2>) -> tensor<8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x3xf8E8M0FNU>) -> tensor<8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x8xf8E5M2>, %arg1: tensor<8x3xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xf8E5M2>, tensor<8x3xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
