// clause: dot_general: products of dequantized elements, each with its block's parameters
// Vectors: the result is a scalar.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2.0, -1.0, 4.0, 2.0, 3.0, -2.0]> : tensor<6xf32>
// args: dense<[-7, 5, -4, -8, -1, -6]> : tensor<6xi8>
// expect: dense<-5.25> : tensor<f32>
// wrong (scales per block left out): dense<-14.0> : tensor<f32>
// wrong (blocks twice as long): dense<-7.0> : tensor<f32>
module {
  func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<6x!quant.uniform<i8:f32:{0:3}, {0.5, 0.25}>>) -> tensor<f32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<6xf32>, tensor<6x!quant.uniform<i8:f32:{0:3}, {0.5, 0.25}>>) -> tensor<f32>
    func.return %r : tensor<f32>
  }
}
