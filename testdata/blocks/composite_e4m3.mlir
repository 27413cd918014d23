// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// As JAX writes it, with blocks of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x40, 0x40, 0x00, 0x44, 0xC0, 0x40, 0x48, 0xB0], [0x48, 0xC4, 0xB0, 0x30, 0xC8, 0xBC, 0xB8, 0x44]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x30, 0xB0, 0x40], [0x3C, 0xB8, 0xC0], [0x3C, 0x48, 0xC8], [0x48, 0x48, 0x30], [0x3C, 0xBC, 0xC0], [0xB8, 0xC4, 0x44], [0x44, 0xC4, 0x48], [0xC4, 0xC0, 0x30]]> : tensor<8x3xf8E4M3FN>
// args: dense<[[0x7D, 0x7D], [0x80, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7D, 0x7E], [0x80, 0x81, 0x81]]> : tensor<2x3xf8E8M0FNU>
// expect: dense<[[12.25, -13.4375, 26.0], [-137.0, 1.2e+02, 32.0]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[24.5, -5.0, 27.25], [-17.75, 8.5, 17.25]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[12.25, 8.125, 4.71875], [-76.0, 19.75, 262.0]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[12.25, -9.5, 13.625], [-132.0, 1.2e+02, 16.0]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf8E4M3FN>, %b: tensor<8x3xf8E4M3FN>, %s: tensor<2x2xf8E8M0FNU>, %u: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x2xf8E8M0FNU>) -> tensor<2x2x4xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<2x2x4xf8E8M0FNU>) -> tensor<2x8xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x3xf8E8M0FNU>) -> tensor<2x4x3xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x4x3xf8E8M0FNU>) -> tensor<8x3xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<2x8xf8E4M3FN>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf8E8M0FNU>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x3xf8E4M3FN>) -> tensor<8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x3xf8E8M0FNU>) -> tensor<8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<8x3xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xf8E4M3FN>, tensor<8x3xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x3xf8E8M0FNU>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
