// clause: call: results and operands in their order
// A swap is told.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1, 2, 3]> : tensor<3xi8>
// args: dense<[10, -20, 120]> : tensor<3xi8>
// expect: dense<[29, -62, 101]> : tensor<3xi8>
// expect: dense<[-18, 44, 22]> : tensor<3xi8>
module {
  func.func public @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
    %0:2 = func.call @twice(%a, %b) : (tensor<3xi8>, tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>)
    %1:2 = func.call @twice(%0#1, %0#0) : (tensor<3xi8>, tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>)
    func.return %1#0, %1#1 : tensor<3xi8>, tensor<3xi8>
  }
  func.func private @twice(%x: tensor<3xi8>, %y: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
    %0 = stablehlo.subtract %x, %y : tensor<3xi8>
    %1 = stablehlo.add %y, %y : tensor<3xi8>
    func.return %0, %1 : tensor<3xi8>, tensor<3xi8>
  }
}
