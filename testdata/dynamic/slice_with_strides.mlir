// clause: real_dynamic_slice: slice with operands in place of attributes
// Strides that do not divide what is between start and limit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]]> : tensor<3x5xi8>
// args: dense<[0, 1]> : tensor<2xi32>
// args: dense<[3, 5]> : tensor<2xi32>
// args: dense<[2, 3]> : tensor<2xi32>
// expect: dense<[[2, 5], [12, 15]]> : tensor<2x2xi8>
module {
  func.func @main(%x: tensor<3x5xi8>, %a: tensor<2xi32>, %b: tensor<2xi32>, %c: tensor<2xi32>) -> tensor<2x2xi8> {
    %0 = "stablehlo.real_dynamic_slice"(%x, %a, %b, %c) : (tensor<3x5xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi8>
    func.return %0 : tensor<2x2xi8>
  }
}
