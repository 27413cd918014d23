// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// A NaN scale: its row is NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x48, 0xC8, 0xBC, 0xC0, 0x30, 0xC4, 0x00, 0xC0], [0x44, 0xC4, 0x44, 0x00, 0x40, 0xC4, 0x30, 0x00]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x00, 0x40, 0xB8], [0x00, 0x38, 0x30], [0x44, 0xC8, 0xC4], [0xC4, 0xBC, 0x48], [0x3C, 0x48, 0x44], [0x3C, 0x40, 0xB8], [0x3C, 0xC4, 0x44], [0xC0, 0x44, 0x3C]]> : tensor<8x3xf8E4M3FN>
// args: dense<[[0x7F, 0xFF], [0x7F, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7D, 0x80], [0x80, 0x7E, 0x81]]> : tensor<2x3xf8E8M0FNU>
// expect: dense<[[0x7FC0, 0x7FC0, 0x7FC0], [1.5, -1.75, 57.0]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[1.75, 3.0, -8.0], [8.25, -8.5, -3.0]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[0x7FC0, 0x7FC0, 0x7FC0], [35.5, -8.875, -87.0]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[0.8125, 0x7FC0, -4.375], [17.625, 0x7FC0, -21.75]]> : tensor<2x3xbf16>
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
