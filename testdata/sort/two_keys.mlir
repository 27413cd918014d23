// clause: sort: results_together[result_slice] = sort(inputs_together[result_slice], comparator_together)
// By the second operand descending, then by the first ascending; the third one only goes along.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[4, 2, 9, 2, 7, 1]> : tensor<6xi8>
// args: dense<[true, false, true, false, false, true]> : tensor<6xi1>
// args: dense<[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]> : tensor<6xf32>
// expect: dense<[1, 4, 9, 2, 2, 7]> : tensor<6xi8>
// expect: dense<[true, true, true, false, false, false]> : tensor<6xi1>
// expect: dense<[6.0e+01, 1.0e+01, 3.0e+01, 2.0e+01, 4.0e+01, 5.0e+01]> : tensor<6xf32>
module {
  func.func @main(%x: tensor<6xi8>, %y: tensor<6xi1>, %z: tensor<6xf32>) -> (tensor<6xi8>, tensor<6xi1>, tensor<6xf32>) {
    %0:3 = "stablehlo.sort"(%x, %y, %z) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i1>, %d: tensor<i1>, %e: tensor<f32>, %f: tensor<f32>):
      %g = stablehlo.compare GT, %c, %d : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %h = stablehlo.compare EQ, %c, %d : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %i = stablehlo.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
      %j = stablehlo.and %h, %i : tensor<i1>
      %k = stablehlo.or %g, %j : tensor<i1>
      stablehlo.return %k : tensor<i1>
    }) {dimension = -1 : i64, is_stable = true} : (tensor<6xi8>, tensor<6xi1>, tensor<6xf32>) -> (tensor<6xi8>, tensor<6xi1>, tensor<6xf32>)
    func.return %0#0, %0#1, %0#2 : tensor<6xi8>, tensor<6xi1>, tensor<6xf32>
  }
}
