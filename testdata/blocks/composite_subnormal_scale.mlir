// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// 2^-127 in bf16: elements below 2^-133 lose digits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x07, 0x03, 0x38, 0x40]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0x38, 0x40], [0x38, 0x40], [0x38, 0x38], [0x38, 0x38]]> : tensor<4x2xf8E4M3FN>
// args: dense<[[0x00, 0x7F]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0xFE, 0x7F], [0x7E, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[1.515625, 0.75]]> : tensor<1x2xbf16>
// wrong (scales per block left out): dense<[[3.015625, 3.03125]]> : tensor<1x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[3.0, 0.009765625]]> : tensor<1x2xbf16>
// wrong (scales of the other operand): dense<[[0.01953125, 6.64614e+36]]> : tensor<1x2xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<1x4xf8E4M3FN>, %b: tensor<4x2xf8E4M3FN>, %s: tensor<1x2xf8E8M0FNU>, %u: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<1x2xf8E8M0FNU>) -> tensor<1x2x2xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2xf8E8M0FNU>) -> tensor<1x4xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x2xf8E8M0FNU>) -> tensor<2x2x2xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x2x2xf8E8M0FNU>) -> tensor<4x2xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<1x4xf8E4M3FN>) -> tensor<1x4xbf16>
    %5 = stablehlo.convert %1 : (tensor<1x4xf8E8M0FNU>) -> tensor<1x4xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<1x4xbf16>
    %7 = stablehlo.convert %b : (tensor<4x2xf8E4M3FN>) -> tensor<4x2xbf16>
    %8 = stablehlo.convert %3 : (tensor<4x2xf8E8M0FNU>) -> tensor<4x2xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<4x2xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<1x4xbf16>, tensor<4x2xbf16>) -> tensor<1x2xbf16>
    return %10 : tensor<1x2xbf16>
  }
  func.func @main(%arg0: tensor<1x4xf8E4M3FN>, %arg1: tensor<4x2xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<1x4xf8E4M3FN>, tensor<4x2xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16>
    func.return %r : tensor<1x2xbf16>
  }
}
