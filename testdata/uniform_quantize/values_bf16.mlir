// clause: quantize: NaN gives 0 (erratum E4), then the clamp to storage_min and storage_max (E3)
// Ties, both bounds, beyond them, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 9984.0, -9984.0, 999424.0, -3.0031217e+09, 3.0031217e+09, 4.9996104e+09, 9.972771e+19, 0x7F80, 0xFF80, 0x7FC0, 1.0e+03, 1.0e+03, 1.0e+03, -1.0e+03, 0.100097656, 12.6875, -0.30078125]> : tensor<34xbf16>
// expect: dense<[9, 9, 10, 12, 13, 8, 6, 27, -13, 108, -94, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 127, 127, 127, 127, -128, 0, 127, 127, 127, -128, 9, 51, 8]> : tensor<34xi8>
// wrong (zero point added after rounding, as ONNX): dense<[9, 9, 10, 11, 13, 8, 7, 27, -13, 109, -94, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 127, 127, 127, 127, -128, 0, 127, 127, 127, -128, 9, 51, 8]> : tensor<34xi8>
// wrong (ties rounded away from zero): dense<[9, 9, 10, 12, 13, 8, 7, 27, -13, 109, -94, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 127, 127, 127, 127, -128, 0, 127, 127, 127, -128, 9, 51, 8]> : tensor<34xi8>
// wrong (wrapped instead of saturated): dense<[9, 9, 10, 12, 13, 8, 6, 27, -13, 108, -94, -41, -40, -38, 47, 46, 84, 0, 0, 0, 0, 0, 0, 0, 127, -128, 0, 16, 16, 16, 16, 9, 51, 8]> : tensor<34xi8>
// wrong (NaN quantized to the zero point): dense<[9, 9, 10, 12, 13, 8, 6, 27, -13, 108, -94, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 127, 127, 127, 127, -128, 9, 127, 127, 127, -128, 9, 51, 8]> : tensor<34xi8>
// wrong (NaN quantized to storage_min): dense<[9, 9, 10, 12, 13, 8, 6, 27, -13, 108, -94, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 127, 127, 127, 127, -128, -128, 127, 127, 127, -128, 9, 51, 8]> : tensor<34xi8>
module {
  func.func @main(%arg0: tensor<34xbf16>) -> tensor<34x!quant.uniform<i8:bf16, 3.000000e-01:9>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<34xbf16>) -> tensor<34x!quant.uniform<i8:bf16, 3.000000e-01:9>>
    "func.return"(%r0) : (tensor<34x!quant.uniform<i8:bf16, 3.000000e-01:9>>) -> ()
  }
}
