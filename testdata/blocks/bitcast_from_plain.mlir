// clause: bitcast_convert: bits are those of the storage
// Parameters of blocks do not matter.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-110, -18, -36, 74], [-96, -79, -110, -112]]> : tensor<2x4xi8>
// expect: dense<[[-110, -18, -36, 74], [-96, -79, -110, -112]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4xi8>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x4xi8>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
