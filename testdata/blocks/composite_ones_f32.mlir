// clause: composite xla.scaled_dot: its decomposition, elements times scales in bf16
// 512 ones in f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<0x38> : tensor<1x512xf8E4M3FN>
// args: dense<0x38> : tensor<512x1xf8E4M3FN>
// args: dense<[[0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F]]> : tensor<1x16xf8E8M0FNU>
// args: dense<[[0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F], [0x7F]]> : tensor<16x1xf8E8M0FNU>
// expect: dense<[[512.0]]> : tensor<1x1xf32>
module {
  func.func private @xla.scaled_dot(%a: tensor<1x512xf8E4M3FN>, %b: tensor<512x1xf8E4M3FN>, %s: tensor<1x16xf8E8M0FNU>, %u: tensor<16x1xf8E8M0FNU>) -> tensor<1x1xf32> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<1x16xf8E8M0FNU>) -> tensor<1x16x32xf8E8M0FNU>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32xf8E8M0FNU>) -> tensor<1x512xf8E8M0FNU>
    %2 = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<16x1xf8E8M0FNU>) -> tensor<16x32x1xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<16x32x1xf8E8M0FNU>) -> tensor<512x1xf8E8M0FNU>
    %4 = stablehlo.convert %a : (tensor<1x512xf8E4M3FN>) -> tensor<1x512xbf16>
    %5 = stablehlo.convert %1 : (tensor<1x512xf8E8M0FNU>) -> tensor<1x512xbf16>
    %6 = stablehlo.multiply %4, %5 : tensor<1x512xbf16>
    %7 = stablehlo.convert %b : (tensor<512x1xf8E4M3FN>) -> tensor<512x1xbf16>
    %8 = stablehlo.convert %3 : (tensor<512x1xf8E8M0FNU>) -> tensor<512x1xbf16>
    %9 = stablehlo.multiply %7, %8 : tensor<512x1xbf16>
    %10 = stablehlo.dot_general %6, %9, contracting_dims = [1] x [0] : (tensor<1x512xbf16>, tensor<512x1xbf16>) -> tensor<1x1xf32>
    return %10 : tensor<1x1xf32>
  }
  func.func @main(%arg0: tensor<1x512xf8E4M3FN>, %arg1: tensor<512x1xf8E4M3FN>, %arg2: tensor<1x16xf8E8M0FNU>, %arg3: tensor<16x1xf8E8M0FNU>) -> tensor<1x1xf32> {
    %r = stablehlo.composite "xla.scaled_dot" %arg0, %arg1, %arg2, %arg3 {composite_attributes = {dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = f32}, decomposition = @xla.scaled_dot} : (tensor<1x512xf8E4M3FN>, tensor<512x1xf8E4M3FN>, tensor<1x16xf8E8M0FNU>, tensor<16x1xf8E8M0FNU>) -> tensor<1x1xf32>
    func.return %r : tensor<1x1xf32>
  }
}
