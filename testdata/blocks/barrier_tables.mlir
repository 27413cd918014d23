// clause: optimization_barrier: operands and results have equal parameters (S12)
// Nothing changes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-51, 20, -16, 6], [-96, -8, 2, 17]]> : tensor<2x4xi8>
// expect: dense<[[-51, 20, -16, 6], [-96, -8, 2, 17]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.optimization_barrier"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
