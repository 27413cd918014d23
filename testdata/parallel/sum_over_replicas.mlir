// Each of two replicas has half of the numbers, in i8; all get the sum in i16.
module {
  func.func public @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<!quant.uniform<i16:f32, 0.5>>, %b: tensor<!quant.uniform<i16:f32, 0.5>>):
      %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i16:f32, 0.5>>
      stablehlo.return %1 : tensor<!quant.uniform<i16:f32, 0.5>>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
    return %0 : tensor<2x!quant.uniform<i16:f32, 0.5>>
  }
  func.func public @silent(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
    return %x : tensor<2x!quant.uniform<i8:f32, 0.5>>
  }
}
