// clause: constant: the elements as written
// A splat, one list, storage, booleans, four bits, complex numbers.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// expect: dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>
// expect: dense<[-2.5, -2.5, -2.5]> : tensor<3xf32>
// expect: dense<[3, -128]> : tensor<2xi8>
// expect: dense<[true, false]> : tensor<2xi1>
// expect: dense<[-8, 7, 0, -1]> : tensor<4xi4>
// expect: dense<(1.0,-2.0)> : tensor<complex<f32>>
!q = !quant.uniform<i8:f32, 0.5:3>
!c = tensor<complex<f32>>
module {
  func.func @main() -> (tensor<2x2xi8>, tensor<3xf32>, tensor<2x!q>, tensor<2xi1>, tensor<4xi4>, !c) {
    %0 = stablehlo.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>
    %1 = stablehlo.constant dense<-2.500000e+00> : tensor<3xf32>
    %2 = "stablehlo.constant"() {value = dense<[3, -128]> : tensor<2xi8>} : () -> tensor<2x!q>
    %3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %4 = stablehlo.constant dense<[-8, 7, 0, -1]> : tensor<4xi4>
    %5 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : !c
    func.return %0, %1, %2, %3, %4, %5
      : tensor<2x2xi8>, tensor<3xf32>, tensor<2x!q>, tensor<2xi1>, tensor<4xi4>, !c
  }
}
