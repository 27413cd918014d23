// clause: exec(schedule): every element is a leaf, hundreds of them, too
// Sums of blocks, of vectors and of what is left over.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<37> : tensor<i32>
// args: dense<3> : tensor<i8>
// expect: dense<[-822, -648, -218, -300]> : tensor<4xi32>
module {
  func.func @main(%factor: tensor<i32>, %init: tensor<!quant.uniform<i8:f32, 0.1:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.1>> {
    %i = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<600xi32>
    %f = "stablehlo.broadcast_in_dim"(%factor) {broadcast_dimensions = array<i64>}
      : (tensor<i32>) -> tensor<600xi32>
    %m = stablehlo.multiply %i, %f : tensor<600xi32>
    %b = stablehlo.convert %m : (tensor<600xi32>) -> tensor<600xi8>
    %r = stablehlo.reshape %b : (tensor<600xi8>) -> tensor<150x4xi8>
    %x = "quant.scast"(%r) : (tensor<150x4xi8>) -> tensor<150x4x!quant.uniform<i8:f32, 0.1:3>>
    %0 = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%lhs: tensor<!quant.uniform<i32:f32, 0.1>>, %rhs: tensor<!quant.uniform<i32:f32, 0.1>>):
      %s = stablehlo.add %lhs, %rhs : tensor<!quant.uniform<i32:f32, 0.1>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.1>>
    }) {dimensions = array<i64: 0>}
      : (tensor<150x4x!quant.uniform<i8:f32, 0.1:3>>, tensor<!quant.uniform<i8:f32, 0.1:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.1>>
    func.return %0 : tensor<4x!quant.uniform<i32:f32, 0.1>>
  }
}
