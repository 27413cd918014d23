// clause: concatenate: inputs in their order along dimension
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8], [-18]]> : tensor<2x1xi8>
// args: dense<[[-118, -71, 123], [-46, 53, 100]]> : tensor<2x3xi8>
// args: dense<> : tensor<2x0xi8>
// args: dense<[[-41, -70], [22, 23]]> : tensor<2x2xi8>
// expect: dense<[[-8, -118, -71, 123, -41, -70], [-18, -46, 53, 100, 22, 23]]> : tensor<2x6xi8>
module {
  func.func @main(%arg0: tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg2: tensor<2x0x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg3: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x6x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2, %arg3) {dimension = 1 : i64} : (tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x0x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x6x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<2x6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
