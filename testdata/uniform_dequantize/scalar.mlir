// clause: uniform_dequantize: elements of any shape
// One element without dimensions, none at all, or several dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<85> : tensor<i8>
// expect: dense<26.7> : tensor<f32>
module {
  func.func @main(%arg0: tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<f32> {
    %r0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> tensor<f32>
    "func.return"(%r0) : (tensor<f32>) -> ()
  }
}
