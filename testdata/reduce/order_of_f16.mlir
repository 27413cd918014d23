// clause: exec(schedule): the order is the implementation's
// From the left every one is lost.
// derivation: by hand: 2049 is rounded to 2048, three times.
// args: dense<[2048.0, 1.0, 1.0, 1.0]> : tensor<4xf16>
// args: dense<0.0> : tensor<f16>
// expect: dense<2048.0> : tensor<f16>
// permitted (balanced): dense<2052.0> : tensor<f16>
module {
  "func.func"() ({
  ^bb0(%input: tensor<4xf16>, %init: tensor<f16>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f16>, tensor<f16>) -> tensor<f16>
      "stablehlo.return"(%r0) : (tensor<f16>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4xf16>, tensor<f16>) -> tensor<f16>
    "func.return"(%0) : (tensor<f16>) -> ()
  }) {function_type = (tensor<4xf16>, tensor<f16>) -> tensor<f16>, sym_name = "main"} : () -> ()
}
