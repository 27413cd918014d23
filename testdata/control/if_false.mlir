// clause: if: true_branch or false_branch
// Two results, of which one is the other branch's.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<false> : tensor<i1>
// args: dense<[1, 2]> : tensor<2xi8>
// args: dense<[30, -40]> : tensor<2xi8>
// expect: dense<[30, -40]> : tensor<2xi8>
// expect: dense<[1, 2]> : tensor<2xi8>
module {
  func.func @main(%pred: tensor<i1>, %x: tensor<2xi8>, %y: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
    %0:2 = "stablehlo.if"(%pred) ({
      %1 = stablehlo.subtract %x, %y : tensor<2xi8>
      stablehlo.return %1, %x : tensor<2xi8>, tensor<2xi8>
    }, {
      stablehlo.return %y, %x : tensor<2xi8>, tensor<2xi8>
    }) : (tensor<i1>) -> (tensor<2xi8>, tensor<2xi8>)
    func.return %0#0, %0#1 : tensor<2xi8>, tensor<2xi8>
  }
}
