// clause: convolution: a fold over window and input features, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// schedules: any
// args: dense<[[[71, 127], [79, 121], [108, 112]], [[-110, -71], [-99, -99], [-108, -110]], [[115, 88], [84, 120], [-115, -88]]]> : tensor<3x3x2xi8>
// args: dense<[[[89], [71]], [[120], [84]], [[108], [86]]]> : tensor<3x2x1xi8>
// expect: dense<[[[56276]], [[-56151]], [[16655]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 saturate): dense<[[[32767]], [[-32768]], [[12779]]]> : tensor<3x1x1xi32>
// wrong (summed in i16 wrap): dense<[[[-9260]], [[9385]], [[16655]]]> : tensor<3x1x1xi32>
module {
  func.func @main(%x: tensor<3x3x2xi8>, %w: tensor<3x2x1xi8>) -> tensor<3x1x1xi32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x3x2xi8>, tensor<3x2x1xi8>) -> tensor<3x1x1xi32>
    return %0 : tensor<3x1x1xi32>
  }
}
