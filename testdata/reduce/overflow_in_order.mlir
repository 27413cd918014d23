// clause: exec(schedule): the order is the implementation's
// From the left the sum overflows f16; where the last two meet first it does not.
// derivation: by hand: 120000 is beyond 65504.
// args: dense<[6.0e+04, 6.0e+04, -6.0e+04]> : tensor<3xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<0x7C00> : tensor<f16>
// permitted (balanced): dense<6.0e+04> : tensor<f16>
// wrong (saturated): dense<5504.0> : tensor<f16>
module {
  "func.func"() ({
  ^bb0(%input: tensor<3xf16>, %init: tensor<f16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<3xf16>, tensor<f16>) -> tensor<f16>
    "func.return"(%0) : (tensor<f16>) -> ()
  }) {function_type = (tensor<3xf16>, tensor<f16>) -> tensor<f16>, sym_name = "main"} : () -> ()
}
