// clause: add: the quantized sum goes through the expressed type
// The sums need more bits than the expressed type has: integers, or one exact sum, keep ones that it loses.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/; arguments drawn so that
// mistakes show
// args: dense<[297329783, 1359297030, 732081113, 1520485836, 1700712874, -433035116, -1504476961]> : tensor<7xi32>
// args: dense<0> : tensor<i32>
// expect: dense<[1656626816, 2147483647, 1714448512, -1937512064]> : tensor<4xi32>
// permitted (balanced): dense<[1656626816, 2147483647, 2147483647, -1937512064]> : tensor<4xi32>
// wrong (accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[1656626813, -683103317, -1506803702, -1937512077]> : tensor<4xi32>
!i32 = !quant.uniform<i32:f32, 1.0>
module {
  "func.func"() ({
  ^bb0(%input: tensor<7x!i32>, %init: tensor<!i32>):
    %0 = "stablehlo.reduce_window"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<7x!i32>, tensor<!i32>) -> tensor<4x!i32>
    "func.return"(%0) : (tensor<4x!i32>) -> ()
  }) {function_type = (tensor<7x!i32>, tensor<!i32>) -> tensor<4x!i32>, sym_name = "main"} : () -> ()
}
