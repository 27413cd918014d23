// clause: optimization_barrier: results are the operands
// In order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2]> : tensor<2xi8>
// args: dense<0.5> : tensor<f32>
// expect: dense<[1, 2]> : tensor<2xi8>
// expect: dense<0.5> : tensor<f32>
module {
  func.func @main(%a: tensor<2xi8>, %b: tensor<f32>) -> (tensor<2xi8>, tensor<f32>) {
    %0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xi8>, tensor<f32>
    func.return %0#0, %0#1 : tensor<2xi8>, tensor<f32>
  }
}
