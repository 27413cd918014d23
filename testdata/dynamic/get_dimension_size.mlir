// clause: get_dimension_size: result = dim(operand, dimension)
// Sizes differ in each dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<0> : tensor<2x5x3xi8>
// expect: dense<5> : tensor<i32>
module {
  func.func @main(%x: tensor<2x5x3xi8>) -> tensor<i32> {
    %0 = "stablehlo.get_dimension_size"(%x) {dimension = 1 : i64} : (tensor<2x5x3xi8>) -> tensor<i32>
    func.return %0 : tensor<i32>
  }
}
