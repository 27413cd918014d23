// clause: quantize: the rounded storage bound saturates (erratum E3)
// storage_max is 4294967296.0 or 2147483648.0 in f32; converting that back must not wrap.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[115, 123, 91, 81, 122, 76, 117]> : tensor<7xi8>
// args: dense<-128> : tensor<i8>
// expect: dense<[4294967295, 4294967295, 4294967295, 4294967295]> : tensor<4xui32>
// wrong (the rounded bound converted back with overflow, as x86; unsigned storage read as signed, as StableHLO's passes): dense<[0, 0, 0, 0]> : tensor<4xui32>
// wrong (wrapped instead of saturated): dense<[3690987520, 1308622848, 771751936, 2181038080]> : tensor<4xui32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[4294967294, 4294967293, 4294967293, 4294967294]> : tensor<4xui32>
!i8 = !quant.uniform<i8:f32, 33554432.0:-128>
!u32 = !quant.uniform<u32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i8>, %init: tensor<!i8>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!u32>, %b0: tensor<!u32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!u32>, tensor<!u32>) -> tensor<!u32>
      "stablehlo.return"(%r0) : (tensor<!u32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!u32>
    "func.return"(%0) : (tensor<4x!u32>) -> ()
  }) {function_type = (tensor<7x!i8>, tensor<!i8>) -> tensor<4x!u32>, sym_name = "main"} : () -> ()
}
