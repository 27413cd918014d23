// clause: clamp: minimum(maximum(x, min), max)
// Where the bounds cross, the greater one wins last: minimum after maximum.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 254, 254, 254, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255]> : tensor<64xui8>
// args: dense<[243, 217, 218, 204, 4, 239, 144, 59, 192, 38, 21, 3, 10, 150, 53, 101, 5, 179, 123, 27, 129, 29, 48, 79, 198, 102, 57, 195, 94, 123, 253, 188, 228, 135, 112, 50, 145, 43, 166, 130, 162, 253, 75, 140, 25, 68, 207, 227, 190, 158, 65, 148, 121, 186, 229, 248, 194, 8, 73, 115, 195, 245, 18, 88]> : tensor<64xui8>
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 7, 8, 254, 255]> : tensor<64xui8>
// expect: dense<[0, 1, 2, 3, 4, 8, 144, 59, 0, 1, 2, 3, 7, 8, 53, 101, 0, 1, 2, 3, 7, 8, 48, 79, 0, 1, 2, 3, 7, 8, 253, 188, 0, 1, 2, 3, 7, 8, 166, 130, 0, 1, 2, 3, 7, 8, 207, 227, 0, 1, 2, 3, 7, 8, 254, 254, 0, 1, 2, 3, 7, 8, 254, 255]> : tensor<64xui8>
module {
  func.func @main(%arg0: tensor<64xui8>, %arg1: tensor<64xui8>, %arg2: tensor<64xui8>) -> tensor<64xui8> {
    %r0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<64xui8>, tensor<64xui8>, tensor<64xui8>) -> tensor<64xui8>
    "func.return"(%r0) : (tensor<64xui8>) -> ()
  }
}
