// clause: add: the quantized sum goes through the expressed type
// The sums need more bits than the expressed type has: integers, or one exact sum, keep ones that it loses.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[[297329783, 1359297030, 732081113, 1520485836, 1700712874, -433035116], [-1504476961, -1672707796, -761202734, 1973564601, -1440269140, 434808600]]> : tensor<2x6xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[1714448512, -1179379712]> : tensor<2xi32>
// permitted (balanced): dense<[2147483647, -1179379712]> : tensor<2xi32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[881904224, 1324683866]> : tensor<2xi32>
!i32 = !quant.uniform<i32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<2x6x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x6x!i32>, tensor<!i32>) -> tensor<2x!i32>
    "func.return"(%0) : (tensor<2x!i32>) -> ()
  }) {function_type = (tensor<2x6x!i32>, tensor<!i32>) -> tensor<2x!i32>, sym_name = "main"} : () -> ()
}
