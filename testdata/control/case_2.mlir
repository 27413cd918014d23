// clause: case: an index outside selects the last branch
// The branch of that number; the last one for numbers that no branch has.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<2> : tensor<i32>
// args: dense<[3, -128]> : tensor<2xi8>
// expect: dense<[6, 0]> : tensor<2xi8>
module {
  func.func @main(%index: tensor<i32>, %x: tensor<2xi8>) -> tensor<2xi8> {
    %0 = "stablehlo.case"(%index) ({
      %1 = stablehlo.negate %x : tensor<2xi8>
      stablehlo.return %1 : tensor<2xi8>
    }, {
      stablehlo.return %x : tensor<2xi8>
    }, {
      %1 = stablehlo.add %x, %x : tensor<2xi8>
      stablehlo.return %1 : tensor<2xi8>
    }) : (tensor<i32>) -> tensor<2xi8>
    func.return %0 : tensor<2xi8>
  }
}
