// clause: quantize: NaN gives 0 (erratum E4), then the clamp to storage_min and storage_max (E3)
// Ties, both bounds, beyond them, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 1.0e+04, -1.0e+04, 1.0e+06, -3.0e+09, 3.0e+09, 5.0e+09, 1.0e+20, 0x7F800000, 0xFF800000, 0x7FC00000, 999.5, 1000.5, 1001.0, -1000.5, 0.1, 12.7, -0.3]> : tensor<34xf32>
// expect: dense<[0, 0, 0, 1, 1, 0, 0, 6, 0, 30, 0, 62, 62, 63, 0, 0, 100, 10000, 0, 1000000, 0, 3000000000, 4294967295, 4294967295, 4294967295, 0, 0, 1000, 1000, 1001, 0, 0, 13, 0]> : tensor<34xui32>
// wrong (ties rounded away from zero): dense<[0, 0, 0, 1, 1, 0, 0, 6, 0, 30, 0, 62, 62, 63, 0, 0, 100, 10000, 0, 1000000, 0, 3000000000, 4294967295, 4294967295, 4294967295, 0, 0, 1000, 1001, 1001, 0, 0, 13, 0]> : tensor<34xui32>
// wrong (wrapped instead of saturated): dense<[0, 0, 0, 1, 1, 0, 4294967295, 6, 4294967290, 30, 4294967265, 62, 62, 63, 4294967230, 4294967230, 100, 10000, 4294957296, 1000000, 1294967296, 3000000000, 705032704, 0, 4294967295, 0, 0, 1000, 1000, 1001, 4294966296, 0, 13, 0]> : tensor<34xui32>
module {
  func.func @main(%arg0: tensor<34xf32>) -> tensor<34x!quant.uniform<u32:f32, 1.000000e+00>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<34xf32>) -> tensor<34x!quant.uniform<u32:f32, 1.000000e+00>>
    "func.return"(%r0) : (tensor<34x!quant.uniform<u32:f32, 1.000000e+00>>) -> ()
  }
}
