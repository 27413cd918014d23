// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// Sums in f32: products of bf16 are exact in it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x38, 0x48, 0x38, 0xC0, 0x40, 0x40, 0xC8, 0xBC], [0x38, 0x44, 0xC8, 0xC0, 0xBC, 0x44, 0x3C, 0x38]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x3C, 0xC0, 0x30], [0xC8, 0xB8, 0xC4], [0x44, 0x38, 0x44], [0x00, 0x00, 0x48], [0xC8, 0xB0, 0x00], [0x3C, 0x38, 0xC8], [0x30, 0xBC, 0x00], [0x44, 0xB8, 0xB8]]> : tensor<8x3xf8E4M3FN>
// args: dense<[[0x7D, 0x7D], [0x7F, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x7E, 0x7E], [0x7D, 0x80, 0x7F]]> : tensor<2x3xf8E8M0FNU>
// expect: dense<[[-1.4375, 3.625, -3.6875], [-3.84375, -4.0, -20.75]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-23.0, 3.5, -23.0], [-8.25, -8.5, -41.5]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-1.4375, -1.4375, -4.9375], [0.75, -8.75, -20.75]]> : tensor<2x3xf32>
// wrong (scales of the other operand): dense<[[-6.46875, 1.8125, -4.28125], [27.09375, -0.0625, -27.78125]]> : tensor<2x3xf32>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x8xf8E4M3FN>, %b: tensor<8x3xf8E4M3FN>, %s: tensor<2x2xf8E8M0FNU>, %u: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xf32> {
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
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x8xbf16>, tensor<8x3xbf16>) -> tensor<2x3xf32>
    return %10 : tensor<2x3xf32>
  }
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<8x3xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x3xf8E8M0FNU>) -> tensor<2x3xf32> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = f32}, decomposition = @xla.scaled_dot} : (tensor<2x8xf8E4M3FN>, tensor<8x3xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x3xf8E8M0FNU>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
