// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// Elements of 4 bits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x0D, 0x01, 0x02, 0x0E, 0x06, 0x03, 0x0D, 0x00], [0x0A, 0x04, 0x01, 0x09, 0x02, 0x01, 0x04, 0x02]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x01, 0x04, 0x00], [0x0E, 0x0D, 0x0A], [0x0C, 0x0A, 0x04], [0x09, 0x09, 0x0B], [0x05, 0x0B, 0x03], [0x06, 0x0B, 0x09], [0x0C, 0x06, 0x0E], [0x05, 0x0C, 0x0D]]> : tensor<8x3xf4E2M1FN>
// args: dense<[[0x7F, 0x7F, 0x81, 0x7E], [0x7D, 0x80, 0x7E, 0x7F]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x7E, 0x81, 0x7D], [0x81, 0x80, 0x7D], [0x81, 0x7E, 0x81], [0x80, 0x7E, 0x7E]]> : tensor<4x3xf8E8M0FNU>
// expect: dense<[[292.0, -47.5, 89.0], [0.9375, -6.5625, -2.25]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[20.5, -26.75, 24.75], [-5.25, -4.5, -1.0e+01]]> : tensor<2x3xbf16>
// wrong (scale of the next block): dense<[[7.0, -63.0, 133.0], [-59.5, -27.0, 2.4375]]> : tensor<2x3xbf16>
// wrong (scale of the block before): dense<[[164.0, -38.5, 195.0], [20.875, -11.75, -22.25]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[3.5, -9.8125, 23.25], [-34.25, 14.25, -51.0]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf4E2M1FN>, %b: tensor<8x3xf4E2M1FN>, %s: tensor<2x4xf8E8M0FNU>, %u: tensor<4x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x4xf8E8M0FNU>) -> tensor<2x4x2xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<2x4x2xf8E8M0FNU>) -> tensor<2x8xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<4x3xf8E8M0FNU>) -> tensor<4x2x3xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<4x2x3xf8E8M0FNU>) -> tensor<8x3xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<2x8xf4E2M1FN>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf8E8M0FNU>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x3xf4E2M1FN>) -> tensor<8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x3xf8E8M0FNU>) -> tensor<8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x8xf4E2M1FN>, %arg1: tensor<8x3xf4E2M1FN>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<4x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xf4E2M1FN>, tensor<8x3xf4E2M1FN>, tensor<2x4xf8E8M0FNU>, tensor<4x3xf8E8M0FNU>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
