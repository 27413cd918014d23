// clause: slice: from start_indices in steps of strides, below limit_indices
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[125, 43, 62, -119, -29], [58, -11, -122, -76, 64], [-37, 19, 47, -52, -82], [-84, 37, 26, 52, -54], [75, -62, 0, 11, 15], [103, 10, 79, -57, -14], [52, 5, 98, 7, -79]]> : tensor<7x5xi8>
// expect: dense<[[-122, 64], [26, -54], [79, -14]]> : tensor<3x2xi8>
module {
  func.func @main(%arg0: tensor<7x5xi8>) -> tensor<3x2xi8> {
    %r0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 7, 5>, strides = array<i64: 2, 2>} : (tensor<7x5xi8>) -> tensor<3x2xi8>
    "func.return"(%r0) : (tensor<3x2xi8>) -> ()
  }
}
