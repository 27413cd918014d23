// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// One block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x3C, 0xC4, 0xC0, 0x48, 0x00, 0x44, 0x3C, 0x30], [0xBC, 0xC8, 0x3C, 0x48, 0x00, 0x38, 0x30, 0x44]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x48, 0xB8, 0xB0], [0x48, 0xB0, 0x40], [0x3C, 0xC0, 0xC4], [0x30, 0x44, 0xB8], [0x44, 0xC4, 0x48], [0xB0, 0xB0, 0x40], [0x40, 0xC4, 0x40], [0x48, 0x44, 0xC4]]> : tensor<8x3xf8E4M3FN>
// args: dense<[[0x7D], [0x7D]]> : tensor<2x1xf8E8M0FNU>
// args: dense<[[0x80, 0x80, 0x7D]]> : tensor<1x3xf8E8M0FNU>
// expect: dense<[[-1.75, 5.75, 0.171875], [-2.625, 9.75, -1.359375]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[-3.5, 11.5, 2.75], [-5.25, 19.5, -21.75]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[-1.75, 5.75, 1.375], [-2.625, 9.75, -10.875]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf8E4M3FN>, %b: tensor<8x3xf8E4M3FN>, %s: tensor<2x1xf8E8M0FNU>, %u: tensor<1x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x1xf8E8M0FNU>) -> tensor<2x1x8xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<2x1x8xf8E8M0FNU>) -> tensor<2x8xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<1x3xf8E8M0FNU>) -> tensor<1x8x3xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<1x8x3xf8E8M0FNU>) -> tensor<8x3xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<2x8xf8E4M3FN>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf8E8M0FNU>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x3xf8E4M3FN>) -> tensor<8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x3xf8E8M0FNU>) -> tensor<8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<8x3xf8E4M3FN>, %arg2: tensor<2x1xf8E8M0FNU>, %arg3: tensor<1x3xf8E8M0FNU>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xf8E4M3FN>, tensor<8x3xf8E4M3FN>, tensor<2x1xf8E8M0FNU>, tensor<1x3xf8E8M0FNU>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
