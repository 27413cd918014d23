// clause: RFC: a last to_destination_type to the result type (errata E7, E15)
// The accumulator is quantized to the result's type; ties go to even.
// derivation: by hand: 10.0, -10.0, 63.5, -64.0, 0.5; plus 64, 127.5 and 64.5 to even.
// dialect: rfc
// args: dense<[[148], [108], [255], [0], [129]]> : tensor<5x1xui8>
// args: dense<128> : tensor<ui8>
// expect: dense<[74, 54, 128, 0, 64]> : tensor<5xui8>
// wrong (ties away from zero): dense<[74, 54, 128, 0, 65]> : tensor<5xui8>
// wrong (the accumulator's bits): dense<[47, 0, 255, 0, 9]> : tensor<5xui8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[13, 229, 120, 121, 250]> : tensor<5xui8>
// wrong (unsigned storage read as signed, as StableHLO's passes): dense<[0, 0, 0, 0, 0]> : tensor<5xui8>
!ui8 = !quant.uniform<ui8:f32, 0.5:128>
!ui8_b = !quant.uniform<ui8:f32, 1.0:64>
!i32 = !quant.uniform<i32:f32, 0.25:7>
module {
  "func.func"() ({
  ^bb0(%input: tensor<5x1x!ui8>, %init: tensor<!ui8>):
    %0 = "stablehlo.reduce"(%input, %init) ({
    ^bb0(%a0: tensor<!i32>, %b0: tensor<!i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<!i32>, tensor<!i32>) -> tensor<!i32>
      "stablehlo.return"(%r0) : (tensor<!i32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<5x1x!ui8>, tensor<!ui8>) -> tensor<5x!ui8_b>
    "func.return"(%0) : (tensor<5x!ui8_b>) -> ()
  }) {function_type = (tensor<5x1x!ui8>, tensor<!ui8>) -> tensor<5x!ui8_b>, sym_name = "main"} : () -> ()
}
