// clause: select: pred ? on_true : on_false
// Each element by its own predicate, or all by one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<false> : tensor<i1>
// args: dense<[-86, 32, 57, -21, -42, 44]> : tensor<6xi8>
// args: dense<[-79, 85, 63, -90, 55, 109]> : tensor<6xi8>
// expect: dense<[-79, 85, 63, -90, 55, 109]> : tensor<6xi8>
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg2: tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
