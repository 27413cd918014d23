// clause: abs: the magnitude of the least integer wraps
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127]> : tensor<14xi8>
// expect: dense<[-128, 127, 7, 3, 2, 1, 0, 1, 2, 3, 7, 8, 126, 127]> : tensor<14xi8>
module {
  func.func @main(%arg0: tensor<14xi8>) -> tensor<14xi8> {
    %r0 = "stablehlo.abs"(%arg0) : (tensor<14xi8>) -> tensor<14xi8>
    "func.return"(%r0) : (tensor<14xi8>) -> ()
  }
}
