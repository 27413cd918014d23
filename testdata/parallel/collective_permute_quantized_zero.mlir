// clause: collective_permute: quantize(0, element_type(result)) in a process that is no target
// The number 0 is stored as the zero point 7, not as 0.
// derivation: by hand: 0 / 0.5 + 7 = 7
// schedules: any
// args: dense<[3]> : tensor<1xi8>
// args: dense<[5]> : tensor<1xi8>
// expect: dense<[7]> : tensor<1xi8>
// expect: dense<[3]> : tensor<1xi8>
// wrong (storage 0): dense<[0]> : tensor<1xi8>; dense<[3]> : tensor<1xi8>
module {
  func.func public @main(%x: tensor<1x!quant.uniform<i8:f32, 0.5:7>>, %y: tensor<1x!quant.uniform<i8:f32, 0.5:7>>) -> (tensor<1x!quant.uniform<i8:f32, 0.5:7>>, tensor<1x!quant.uniform<i8:f32, 0.5:7>>) {
    %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@part], [@part]]} : (tensor<1x!quant.uniform<i8:f32, 0.5:7>>, tensor<1x!quant.uniform<i8:f32, 0.5:7>>) -> (tensor<1x!quant.uniform<i8:f32, 0.5:7>>, tensor<1x!quant.uniform<i8:f32, 0.5:7>>)
    func.return %r#0, %r#1 : tensor<1x!quant.uniform<i8:f32, 0.5:7>>, tensor<1x!quant.uniform<i8:f32, 0.5:7>>
  }
  func.func private @part(%x: tensor<1x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<1x!quant.uniform<i8:f32, 0.5:7>> {
    %r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<1x!quant.uniform<i8:f32, 0.5:7>>
    func.return %r : tensor<1x!quant.uniform<i8:f32, 0.5:7>>
  }
}
