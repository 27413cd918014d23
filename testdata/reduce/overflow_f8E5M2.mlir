// clause: f8E5M2 has infinities, which a sum beyond its largest number is
// The largest number is 57344.
// derivation: by hand: 65536 is beyond 57344 by a whole step of 8192.
// args: dense<[0x7B, 0x70]> : tensor<2xf8E5M2>
// args: dense<0x00> : tensor<f8E5M2>
// expect: dense<0x7C> : tensor<f8E5M2>
// wrong (saturated at the largest number): dense<0x7B> : tensor<f8E5M2>
// wrong (NaN, as f8E4M3FN): dense<0x7E> : tensor<f8E5M2>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2xf8E5M2>, %init: tensor<f8E5M2>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f8E5M2>, %b0: tensor<f8E5M2>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
      "stablehlo.return"(%r0) : (tensor<f8E5M2>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<2xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    "func.return"(%0) : (tensor<f8E5M2>) -> ()
  }) {function_type = (tensor<2xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>, sym_name = "main"} : () -> ()
}
