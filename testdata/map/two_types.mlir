// clause: map: result[result_index] = computation(inputs...[result_index])
// The inputs and the result have three element types.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, -2, 3], [4, 5, -6]]> : tensor<2x3xi8>
// args: dense<[[0.5, 2.0, 3.0], [-4.0, 5.0, 0.25]]> : tensor<2x3xf32>
// expect: dense<[[false, true, true], [false, true, true]]> : tensor<2x3xi1>
module {
  func.func @main(%x: tensor<2x3xi8>, %y: tensor<2x3xf32>) -> tensor<2x3xi1> {
    %0 = "stablehlo.map"(%x, %y) ({
    ^bb0(%a: tensor<i8>, %b: tensor<f32>):
      %c = stablehlo.convert %a : (tensor<i8>) -> tensor<f32>
      %p = stablehlo.compare LE, %c, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xi8>, tensor<2x3xf32>) -> tensor<2x3xi1>
    func.return %0 : tensor<2x3xi1>
  }
}
