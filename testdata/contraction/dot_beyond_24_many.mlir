// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 24 bits holds 600 products of i8.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<-121> : tensor<1x600xi8>
// args: dense<119> : tensor<600x1xi8>
// expect: dense<[[-8639400]]> : tensor<1x1xi32>
// wrong (summed in i16 saturate): dense<[[-32768]]> : tensor<1x1xi32>
// wrong (summed in i16 wrap): dense<[[11352]]> : tensor<1x1xi32>
// wrong (summed in i20 saturate): dense<[[-524288]]> : tensor<1x1xi32>
// wrong (summed in i20 wrap): dense<[[-250792]]> : tensor<1x1xi32>
// wrong (summed in i24 saturate): dense<[[-8388608]]> : tensor<1x1xi32>
// wrong (summed in i24 wrap): dense<[[8137816]]> : tensor<1x1xi32>
module {
  func.func @main(%x: tensor<1x600xi8>, %w: tensor<600x1xi8>) -> tensor<1x1xi32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<1x600xi8>, tensor<600x1xi8>) -> tensor<1x1xi32>
    return %0 : tensor<1x1xi32>
  }
}
