// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// NVFP4's types: products of both are exact in bf16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x0D, 0x00, 0x0A, 0x0E, 0x05, 0x0D, 0x0B, 0x0D, 0x0A, 0x0A, 0x0D, 0x0D, 0x01, 0x0E, 0x03, 0x03, 0x0B, 0x03, 0x03, 0x00, 0x02, 0x00, 0x03, 0x09, 0x09, 0x02, 0x02, 0x04, 0x0D, 0x0C, 0x0D, 0x02], [0x01, 0x0E, 0x03, 0x06, 0x02, 0x06, 0x0A, 0x01, 0x0D, 0x0E, 0x03, 0x06, 0x04, 0x06, 0x0B, 0x0D, 0x03, 0x02, 0x0E, 0x0D, 0x00, 0x01, 0x05, 0x0D, 0x06, 0x02, 0x0E, 0x06, 0x04, 0x01, 0x03, 0x09]]> : tensor<2x32xf4E2M1FN>
// args: dense<"0x0B0501030B000402020C01030D060C0900040E000B02010204000609090B050405000B0D020E040A0E030E02020006090606010D000B0B0D0902050102000A060300050D0D0D0C05020C0D0500090C0B0E0C0B0E0001090C0A0B0E090C090202"> : tensor<32x3xf4E2M1FN>
// args: dense<[[0x38, 0x40], [0x40, 0x30]]> : tensor<2x2xf8E4M3FN>
// args: dense<[[0x48, 0x38, 0x48], [0x38, 0x28, 0x38]]> : tensor<2x3xf8E4M3FN>
// expect: dense<[[-11.5, 11.75, -132.0], [-49.0, -46.5, 8.0e+01]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[0.25, 4.5, -38.25], [18.5, -25.25, -23.75]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[13.0, -5.0, -97.0], [206.0, -7.0, -282.0]]> : tensor<2x3xbf16>
// wrong (scales of the other operand): dense<[[-11.5, 146.0, -132.0], [5.375, -46.5, -5.75]]> : tensor<2x3xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<2x32xf4E2M1FN>, %b: tensor<32x3xf4E2M1FN>, %s: tensor<2x2xf8E4M3FN>, %u: tensor<2x3xf8E4M3FN>) -> tensor<2x3xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<2x2xf8E4M3FN>) -> tensor<2x2x16xf8E4M3FN>
    %1 = stablehlo.reshape %0 : (tensor<2x2x16xf8E4M3FN>) -> tensor<2x32xf8E4M3FN>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x3xf8E4M3FN>) -> tensor<2x16x3xf8E4M3FN>
    %3 = stablehlo.reshape %2 : (tensor<2x16x3xf8E4M3FN>) -> tensor<32x3xf8E4M3FN>
    %4 = stablehlo.convert %a : (tensor<2x32xf4E2M1FN>) -> tensor<2x32xbf16>
    %5 = stablehlo.convert %1 : (tensor<2x32xf8E4M3FN>) -> tensor<2x32xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<2x32xbf16>
    %7 = stablehlo.convert %b : (tensor<32x3xf4E2M1FN>) -> tensor<32x3xbf16>
    %8 = stablehlo.convert %3 : (tensor<32x3xf8E4M3FN>) -> tensor<32x3xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<32x3xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<2x32xbf16>, tensor<32x3xbf16>) -> tensor<2x3xbf16>
    return %10 : tensor<2x3xbf16>
  }
  func.func @main(%arg0: tensor<2x32xf4E2M1FN>, %arg1: tensor<32x3xf4E2M1FN>, %arg2: tensor<2x2xf8E4M3FN>, %arg3: tensor<2x3xf8E4M3FN>) -> tensor<2x3xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<2x32xf4E2M1FN>, tensor<32x3xf4E2M1FN>, tensor<2x2xf8E4M3FN>, tensor<2x3xf8E4M3FN>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
