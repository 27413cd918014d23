// clause: dot_general: a fold over the contracting dimensions, which no narrower accumulator replaces
// No accumulator of 16 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[71, 127, 79, 121, 108, 112], [-110, -71, -99, -99, -108, -110], [115, 88, 84, 120, -115, -88]]> : tensor<3x6xi8>
// args: dense<[[89], [71], [120], [84], [108], [86]]> : tensor<6x1xi8>
// expect: dense<[[56276], [-56151], [16655]]> : tensor<3x1xi32>
// wrong (summed in i16 saturate): dense<[[32767], [-32768], [12779]]> : tensor<3x1xi32>
// wrong (summed in i16 wrap): dense<[[-9260], [9385], [16655]]> : tensor<3x1xi32>
module {
  func.func @main(%x: tensor<3x6xi8>, %w: tensor<6x1xi8>) -> tensor<3x1xi32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<3x6xi8>, tensor<6x1xi8>) -> tensor<3x1xi32>
    return %0 : tensor<3x1xi32>
  }
}
