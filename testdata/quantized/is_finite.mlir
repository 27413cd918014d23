// clause: is_finite: of the dequantized number
// Every stored number is finite.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-18, -103, 26, 97, 80, -79, 40, 39, -118, 89, 63, -7, 80, -102, -95, -52, 38, -38, -95, -101, -6, -123, -63, -56, -101, -80, -83, 2, -125, -88, -14, 101, -28, -48, -34, 99, -100, 85, 57, -50]> : tensor<40xi8>
// expect: dense<true> : tensor<40xi1>
module {
  func.func @main(%arg0: tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40xi1> {
    %r0 = "stablehlo.is_finite"(%arg0) : (tensor<40x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<40xi1>
    "func.return"(%r0) : (tensor<40xi1>) -> ()
  }
}
