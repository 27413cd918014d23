// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// Two batches.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[0xC8, 0xBC, 0xC0, 0xB8, 0x48, 0xC4, 0x00, 0x38], [0x3C, 0xC8, 0xC0, 0x44, 0xBC, 0x48, 0x00, 0xC8]], [[0xC8, 0xC0, 0xB0, 0xC8, 0xB0, 0xB0, 0xB0, 0xBC], [0x48, 0x00, 0xB0, 0x00, 0x00, 0x38, 0xC0, 0xC0]]]> : tensor<2x2x8xf8E4M3FN>
// args: dense<[[[0x40, 0xB8, 0x48], [0x40, 0x48, 0x30], [0xBC, 0xBC, 0xBC], [0xC0, 0x38, 0x3C], [0x30, 0x40, 0x40], [0x3C, 0x44, 0x48], [0x3C, 0x30, 0xC4], [0xBC, 0xC8, 0xC0]], [[0xB8, 0x40, 0x3C], [0x40, 0x00, 0x3C], [0xB8, 0x44, 0x40], [0x40, 0x3C, 0xC8], [0x40, 0x00, 0x00], [0x40, 0x3C, 0xC4], [0x40, 0x40, 0x40], [0xC0, 0x00, 0x44]]]> : tensor<2x8x3xf8E4M3FN>
// args: dense<[[[0x81, 0x80], [0x80, 0x7D]], [[0x81, 0x81], [0x7F, 0x80]]]> : tensor<2x2x2xf8E8M0FNU>
// args: dense<[[[0x7D, 0x7F, 0x7F], [0x81, 0x81, 0x7D]], [[0x7E, 0x81, 0x7D], [0x80, 0x80, 0x81]]]> : tensor<2x2x3xf8E8M0FNU>
// expect: dense<[[[-38.0, -4.0e+01, -64.0], [7.25, 2.0, 24.25]], [[-15.0, -262.0, -58.0], [6.25, 16.0, -103.0]]]> : tensor<2x2x3xbf16>
// wrong (scales per block left out): dense<[[[-1.0e+01, -5.0, -21.25], [3.25, 13.5, 32.5]], [[-7.5, -17.25, 2.0], [-1.5, 4.0, -8.0]]]> : tensor<2x2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[[-52.0, -2.0e+01, -31.625], [-2.375, 38.5, 42.75]], [[-6.0e+01, -152.0, 92.0], [-13.0, 16.0, 36.75]]]> : tensor<2x2x3xbf16>
// wrong (scales of the other operand): dense<[[[-14.0, -1.25, -27.25], [-38.0, -67.0, 352.0]], [[-15.0, -45.0, -4.0], [-24.0, 42.0, 14.0]]]> : tensor<2x2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x2x8xf8E4M3FN>, %b: tensor<2x8x3xf8E4M3FN>, %s: tensor<2x2x2xf8E8M0FNU>, %u: tensor<2x2x3xf8E8M0FNU>) -> tensor<2x2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1, 2] : (tensor<2x2x2xf8E8M0FNU>) -> tensor<2x2x2x4xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<2x2x2x4xf8E8M0FNU>) -> tensor<2x2x8xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 1, 3] : (tensor<2x2x3xf8E8M0FNU>) -> tensor<2x2x4x3xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x2x4x3xf8E8M0FNU>) -> tensor<2x8x3xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<2x2x8xf8E4M3FN>) -> tensor<2x2x8xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x2x8xf8E8M0FNU>) -> tensor<2x2x8xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x2x8xbf16>
    %7 = stablehlo.convert %b : (tensor<2x8x3xf8E4M3FN>) -> tensor<2x8x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<2x8x3xf8E8M0FNU>) -> tensor<2x8x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<2x8x3xbf16>
    %10 = stablehlo.dot_general %6, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x8xbf16>, tensor<2x8x3xbf16>) -> tensor<2x2x3xbf16>
    return %10 : tensor<2x2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x2x8xf8E4M3FN>, %arg1: tensor<2x8x3xf8E4M3FN>, %arg2: tensor<2x2x2xf8E8M0FNU>, %arg3: tensor<2x2x3xf8E8M0FNU>) -> tensor<2x2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[2], [1]], [[0], [0]]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x2x8xf8E4M3FN>, tensor<2x8x3xf8E4M3FN>, tensor<2x2x2xf8E8M0FNU>, tensor<2x2x3xf8E8M0FNU>) -> tensor<2x2x3xbf16>
    func.return %r : tensor<2x2x3xbf16>
  }
}
