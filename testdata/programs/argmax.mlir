// The class of each row of logits: a reduction of two operands, a quantized value and its i32
// index. Of equal values the lower index wins, so that the answer does not depend on the order of
// the reduction.
!logit = !quant.uniform<i8:f32, 1.000000e-01:24>
func.func @main(%arg0: tensor<5x10x!logit>) -> (tensor<5x!logit>, tensor<5xi32>) {
  %index = stablehlo.iota dim = 1 : tensor<5x10xi32>
  %least = "stablehlo.constant"() {value = dense<-128> : tensor<i8>} : () -> tensor<!logit>
  %none = stablehlo.constant dense<2147483647> : tensor<i32>
  %best:2 = "stablehlo.reduce"(%arg0, %index, %least, %none) ({
  ^bb0(%x: tensor<!logit>, %i: tensor<i32>, %y: tensor<!logit>, %j: tensor<i32>):
    %greater = stablehlo.compare GT, %x, %y : (tensor<!logit>, tensor<!logit>) -> tensor<i1>
    %equal = stablehlo.compare EQ, %x, %y : (tensor<!logit>, tensor<!logit>) -> tensor<i1>
    %before = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.and %equal, %before : tensor<i1>
    %left = stablehlo.or %greater, %first : tensor<i1>
    %value = stablehlo.select %left, %x, %y : tensor<i1>, tensor<!logit>
    %where = stablehlo.select %left, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %where : tensor<!logit>, tensor<i32>
  }) {dimensions = array<i64: 1>}
    : (tensor<5x10x!logit>, tensor<5x10xi32>, tensor<!logit>, tensor<i32>)
    -> (tensor<5x!logit>, tensor<5xi32>)
  return %best#0, %best#1 : tensor<5x!logit>, tensor<5xi32>
}
