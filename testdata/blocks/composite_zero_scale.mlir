// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// A scale of zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0xBC, 0x48, 0xC8, 0x40, 0xBC, 0x3C, 0x30, 0x3C], [0xC0, 0x30, 0xC8, 0x00, 0x30, 0xB8, 0xB0, 0xB8]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xC4, 0x40, 0xC4], [0xB0, 0xC0, 0xB0], [0x3C, 0xB0, 0xBC], [0xB8, 0x38, 0x44], [0xC4, 0x30, 0x00], [0x40, 0x48, 0x3C], [0xC8, 0x38, 0x3C], [0x48, 0xBC, 0x00]]> : tensor<8x3xf8E4M3FN>
// args: dense<[[0x38, 0x00], [0x38, 0x40]]> : tensor<2x2xf8E4M3FN>
// args: dense<[[0x30, 0x48, 0x30], [0x48, 0x28, 0x28]]> : tensor<2x3xf8E4M3FN>
// expect: dense<[[-2.75, -28.0, 7.25], [-44.0, -13.375, 4.75]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[6.0, -3.5, 17.5], [-5.75, -5.75, 9.5]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[5.75, 14.0, 1.5], [-4.75, -12.5, 4.75]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[43.25, 28.0, 19.25], [-2.375, -1.375, 46.25]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf8E4M3FN>, %b: tensor<8x3xf8E4M3FN>, %s: tensor<2x2xf8E4M3FN>, %u: tensor<2x3xf8E4M3FN>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x2xf8E4M3FN>) -> tensor<2x2x4xf8E4M3FN>
    %1 = stablehlo.reshape %0 : (tensor<2x2x4xf8E4M3FN>) -> tensor<2x8xf8E4M3FN>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x3xf8E4M3FN>) -> tensor<2x4x3xf8E4M3FN>
    %3 = stablehlo.reshape %2 : (tensor<2x4x3xf8E4M3FN>) -> tensor<8x3xf8E4M3FN>
    %4 = stablehlo.convert %a : (tensor<2x8xf8E4M3FN>) -> tensor<2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x8xf8E4M3FN>) -> tensor<2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<8x3xf8E4M3FN>) -> tensor<8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<8x3xf8E4M3FN>) -> tensor<8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<8x3xf8E4M3FN>, %arg2: tensor<2x2xf8E4M3FN>, %arg3: tensor<2x3xf8E4M3FN>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x8xf8E4M3FN>, tensor<8x3xf8E4M3FN>, tensor<2x2xf8E4M3FN>, tensor<2x3xf8E4M3FN>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
