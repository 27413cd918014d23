// clause: dynamic_pad: functionally identical to pad
// A negative low end cuts, holes are dilated between: another split of low and high has the same shape.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
// args: dense<9> : tensor<i32>
// args: dense<[1, -1]> : tensor<2xi64>
// args: dense<[0, 2]> : tensor<2xi64>
// args: dense<[1, 1]> : tensor<2xi64>
// expect: dense<[[9, 9, 9, 9, 9, 9], [9, 2, 9, 3, 9, 9], [9, 9, 9, 9, 9, 9], [9, 5, 9, 6, 9, 9]]> : tensor<4x6xi32>
module {
  func.func @main(%x: tensor<2x3xi32>, %v: tensor<i32>, %l: tensor<2xi64>, %h: tensor<2xi64>, %i: tensor<2xi64>) -> tensor<4x6xi32> {
    %0 = "stablehlo.dynamic_pad"(%x, %v, %l, %h, %i) : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x6xi32>
    func.return %0 : tensor<4x6xi32>
  }
}
