// clause: while: body as long as cond holds
// No step, or three.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<3> : tensor<i32>
// args: dense<[8.0, -1.0]> : tensor<2xf32>
// expect: dense<0> : tensor<i32>
// expect: dense<[1.0, -27.0]> : tensor<2xf32>
module {
  func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %half = stablehlo.constant dense<[5.000000e-01, 3.000000e+00]> : tensor<2xf32>
    %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.subtract %i, %one : tensor<i32>
      %z = stablehlo.multiply %y, %half : tensor<2xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
    }
    func.return %0#0, %0#1 : tensor<i32>, tensor<2xf32>
  }
}
