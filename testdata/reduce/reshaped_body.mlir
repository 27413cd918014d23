// clause: the body may be any function; each of its ops rounds
// The body reshapes and calls: it runs element by element.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, 2, 3], [4, 5, 100]]> : tensor<2x3xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[0, 103]> : tensor<2xi8>
!q = !quant.uniform<i8:f32, 0.5:3>
module {
  func.func public @main(%x: tensor<2x3x!q>, %init: tensor<!q>) -> tensor<2x!q> {
    %0 = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%lhs: tensor<!q>, %rhs: tensor<!q>):
      %a = stablehlo.reshape %lhs : (tensor<!q>) -> tensor<1x!q>
      %b = stablehlo.reshape %rhs : (tensor<!q>) -> tensor<1x!q>
      %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x!q>, tensor<1x!q>) -> tensor<2x!q>
      %d = "stablehlo.slice"(%c) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>,
        strides = array<i64: 1>} : (tensor<2x!q>) -> tensor<1x!q>
      %e = stablehlo.reshape %d : (tensor<1x!q>) -> tensor<!q>
      %f = func.call @sum(%lhs, %e) : (tensor<!q>, tensor<!q>) -> tensor<!q>
      stablehlo.return %f : tensor<!q>
    }) {dimensions = array<i64: 1>} : (tensor<2x3x!q>, tensor<!q>) -> tensor<2x!q>
    func.return %0 : tensor<2x!q>
  }
  func.func private @sum(%x: tensor<!q>, %y: tensor<!q>) -> tensor<!q> {
    %0 = stablehlo.add %x, %y : tensor<!q>
    func.return %0 : tensor<!q>
  }
}
