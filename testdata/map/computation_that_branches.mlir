// clause: map: result[result_index] = computation(inputs...[result_index])
// The branch is chosen element by element, and one of them reads a value from outside.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3, -4, 0, 9]> : tensor<4xi32>
// args: dense<100> : tensor<i32>
// expect: dense<[100, 4, 0, 100]> : tensor<4xi32>
module {
  func.func @main(%x: tensor<4xi32>, %n: tensor<i32>) -> tensor<4xi32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<i32>):
      %p = stablehlo.compare GT, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %r = "stablehlo.if"(%p) ({
        stablehlo.return %n : tensor<i32>
      }, {
        %m = stablehlo.negate %a : tensor<i32>
        stablehlo.return %m : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      stablehlo.return %r : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32>
    func.return %0 : tensor<4xi32>
  }
}
