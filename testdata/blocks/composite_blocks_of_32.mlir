// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// OCP MX: blocks of 32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0xB8, 0x00, 0x3C, 0xC0, 0x44, 0x30, 0x00, 0xC4, 0x44, 0xB0, 0xC8, 0x3C, 0xC8, 0x3C, 0x40, 0xBC, 0x38, 0x30, 0xBC, 0xC0, 0x48, 0xC8, 0x48, 0x48, 0x00, 0xC0, 0xC8, 0x00, 0x48, 0x00, 0x44, 0xC8, 0x30, 0xC0, 0x38, 0xBC, 0x38, 0x30, 0x40, 0x38, 0xC8, 0x48, 0x3C, 0x48, 0xB8, 0x30, 0xB8, 0x40, 0x44, 0x30, 0x44, 0xB0, 0x48, 0x38, 0xC0, 0xC4, 0x40, 0x44, 0x48, 0x48, 0x40, 0x3C, 0xB8, 0xBC]]> : tensor<1x64xf8E4M3FN>
// args: dense<"0xB80048483838BC30C83830B048483848B8C830443CB000C430C030C8B0403CB8383CC8C0B0C8BCB03C3C4448B000B0C44400B0400030C84840C8BC30B840C8C44030C0C0B8443CC0B8B0C83044C83C38483C4840C438BCBC48B0BC48303048B844C4C4C840BCC448C0B8B8C8383C38C84400383840C8C038BCB04400C8C4BC48"> : tensor<64x2xf8E4M3FN>
// args: dense<[[0x81, 0x7E]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x80], [0x81, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[24.25, -314.0]]> : tensor<1x2xbf16>
// wrong (scales per block left out): dense<[[8.0, -65.0]]> : tensor<1x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-0.25, -268.0]]> : tensor<1x2xbf16>
// wrong (scales of the other operand): dense<[[122.0, -33.5]]> : tensor<1x2xbf16>
module {
  func.func private @xla.scaled_dot(%a: tensor<1x64xf8E4M3FN>, %b: tensor<64x2xf8E4M3FN>, %s: tensor<1x2xf8E8M0FNU>, %u: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<1x2xf8E8M0FNU>) -> tensor<1x2x32xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<1x2x32xf8E8M0FNU>) -> tensor<1x64xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<2x2xf8E8M0FNU>) -> tensor<2x32x2xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x32x2xf8E8M0FNU>) -> tensor<64x2xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<1x64xf8E4M3FN>) -> tensor<1x64xbf16>
    %5 = stablehlo.convert %1 : (tensor<1x64xf8E8M0FNU>) -> tensor<1x64xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<1x64xbf16>
    %7 = stablehlo.convert %b : (tensor<64x2xf8E4M3FN>) -> tensor<64x2xbf16>
    %8 = stablehlo.convert %3 : (tensor<64x2xf8E8M0FNU>) -> tensor<64x2xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<64x2xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<1x64xbf16>, tensor<64x2xbf16>) -> tensor<1x2xbf16>
    return %10 : tensor<1x2xbf16>
  }
  func.func @main(%arg0: tensor<1x64xf8E4M3FN>, %arg1: tensor<64x2xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = bf16}, decomposition = @xla.scaled_dot} : (tensor<1x64xf8E4M3FN>, tensor<64x2xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16>
    func.return %r : tensor<1x2xbf16>
  }
}
