// clause: quantize: NaN gives 0 (erratum E4), then the clamp to storage_min and storage_max (E3)
// Ties, both bounds, beyond them, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 1.0e+04, -1.0e+04, 1.0e+06, -3.0e+09, 3.0e+09, 5.0e+09, 1.0e+20, 0x7F800000, 0xFF800000, 0x7FC00000, 999.5, 1000.5, 1001.0, -1000.5, 0.1, 12.7, -0.3]> : tensor<34xf32>
// expect: dense<[0, 0, 0, 1, 1, 0, -1, 6, -6, 30, -31, 62, 62, 63, -66, -66, 100, 1000, -10000, 1000, -2147483648, 1000, 1000, 1000, 1000, -2147483648, 0, 1000, 1000, 1000, -1000, 0, 13, 0]> : tensor<34xi32>
// wrong (ties rounded away from zero): dense<[0, 0, 0, 1, 1, 0, -1, 6, -7, 30, -31, 62, 62, 63, -66, -66, 100, 1000, -10000, 1000, -2147483648, 1000, 1000, 1000, 1000, -2147483648, 0, 1000, 1000, 1000, -1001, 0, 13, 0]> : tensor<34xi32>
// wrong (wrapped instead of saturated): dense<[0, 0, 0, 1, 1, 0, -1, 6, -6, 30, -31, 62, 62, 63, -66, -66, 100, 10000, -10000, 1000000, 1294967296, -1294967296, 705032704, 0, 1000, -2147483648, 0, 1000, 1000, 1001, -1000, 0, 13, 0]> : tensor<34xi32>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[0, 0, 0, 1, 1, 0, -1, 6, -6, 30, -31, 62, 62, 63, -66, -66, 100, 10000, -10000, 1000000, -2147483648, 2147483647, 2147483647, 2147483647, 1000, -2147483648, 0, 1000, 1000, 1001, -1000, 0, 13, 0]> : tensor<34xi32>
// wrong (NaN quantized to storage_min): dense<[0, 0, 0, 1, 1, 0, -1, 6, -6, 30, -31, 62, 62, 63, -66, -66, 100, 1000, -10000, 1000, -2147483648, 1000, 1000, 1000, 1000, -2147483648, -2147483648, 1000, 1000, 1000, -1000, 0, 13, 0]> : tensor<34xi32>
module {
  func.func @main(%arg0: tensor<34xf32>) -> tensor<34x!quant.uniform<i32<-2147483648:1000>:f32, 1.000000e+00>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<34xf32>) -> tensor<34x!quant.uniform<i32<-2147483648:1000>:f32, 1.000000e+00>>
    "func.return"(%r0) : (tensor<34x!quant.uniform<i32<-2147483648:1000>:f32, 1.000000e+00>>) -> ()
  }
}
