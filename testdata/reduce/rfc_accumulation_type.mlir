// clause: RFC: accumulation_type, and the pretty form of reduce
// The sum is held in i32, where 127 + 100 does not saturate, and saturates only in the result (E7).
// derivation: by hand: 0 + (127 - 16) + (100 - 16) - (50 + 16) = 129 steps, stored as 145 and clamped to 127; 0 + 5 - 6 = -1 is 15.
// dialect: rfc
// args: dense<[[127, 100, -50], [21, 10, 16]]> : tensor<2x3xi8>
// args: dense<16> : tensor<i8>
// expect: dense<[127, 15]> : tensor<2xi8>
// wrong (accumulated in i8): dense<[61, 15]> : tensor<2xi8>
!i8 = !quant.uniform<i8:f32, 3.400000e+01:16>
!i32 = !quant.uniform<i32:f32, 3.400000e+01:16>
func.func @main(%arg0: tensor<2x3x!i8>, %arg1: tensor<!i8>) -> tensor<2x!i8> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1] {
      accumulation_type = tensor<!i32>  // the type of the body's arguments
  } : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i8>
      reducer(%arg2: tensor<!i32>, %arg3: tensor<!i32>) {
    %1 = stablehlo.add %arg2, %arg3 : tensor<!i32>
    stablehlo.return %1 : tensor<!i32>
  }
  return %0 : tensor<2x!i8>
}
