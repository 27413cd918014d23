// clause: dot_general: sums of integers wrap, and do not saturate
// The first two sums leave i32 and wrap; the third leaves it and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[20613, 25190, 18329, 25067, 18808, 18626, 27102, 23784], [-21715, -20674, -25667, -23073, -29934, -26067, -20744, -26759], [22903, 27314, 27436, 27432, 19349, 18542, -22903, -27314]]> : tensor<3x8xi16>
// args: dense<[[25311], [19335], [23475], [19978], [18576], [26609], [19833], [29922]]> : tensor<8x1xi16>
// expect: dense<[[-260945746], [-179647415], [1881197014]]> : tensor<3x1xi32>
// wrong (summed in i16 saturate): dense<[[32767], [-32768], [-32768]]> : tensor<3x1xi32>
// wrong (summed in i16 wrap): dense<[[18606], [-13239], [-13866]]> : tensor<3x1xi32>
// wrong (summed in i20 saturate): dense<[[524287], [-524288], [-524288]]> : tensor<3x1xi32>
// wrong (summed in i20 wrap): dense<[[149678], [-340919], [51670]]> : tensor<3x1xi32>
// wrong (summed in i24 saturate): dense<[[8388607], [-8388608], [-8388608]]> : tensor<3x1xi32>
// wrong (summed in i24 wrap): dense<[[7489710], [4901961], [2148822]]> : tensor<3x1xi32>
// wrong (summed in i31 saturate): dense<[[1073741823], [-1073741824], [-197782884]]> : tensor<3x1xi32>
// wrong (summed in i31 wrap): dense<[[-260945746], [-179647415], [-266286634]]> : tensor<3x1xi32>
// wrong (summed in i32 saturate): dense<[[2147483647], [-2147483648], [875958940]]> : tensor<3x1xi32>
module {
  func.func @main(%x: tensor<3x8xi16>, %w: tensor<8x1xi16>) -> tensor<3x1xi32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x8xi16>, tensor<8x1xi16>) -> tensor<3x1xi32>
    return %0 : tensor<3x1xi32>
  }
}
