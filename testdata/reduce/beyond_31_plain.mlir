// clause: exec(schedule): the body runs in its own type, which no narrower accumulator replaces
// No accumulator of 31 bits holds the first two sums; the third leaves its range and comes back.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[406796536, 422101183, 458487408, 345634012], [-427590827, -399116247, -326677323, -426939469], [412155382, 419701956, 426981712, -481532236]]> : tensor<3x4xi32>
// args: dense<7> : tensor<i32>
// expect: dense<[1633019146, -1580323859, 777306821]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[1633019153, -1580323852, 777306828]> : tensor<3xi32>
// permitted (init value before every element): dense<[1633019174, -1580323831, 777306849]> : tensor<3xi32>
// wrong (summed in i16 saturate): dense<[32767, -32768, -32768]> : tensor<3xi32>
// wrong (summed in i16 wrap): dense<[-6902, 11245, -15675]> : tensor<3xi32>
// wrong (summed in i20 saturate): dense<[524287, -524288, -524288]> : tensor<3xi32>
// wrong (summed in i20 wrap): dense<[386314, -119827, 312005]> : tensor<3xi32>
// wrong (summed in i24 saturate): dense<[8388607, -8388608, -8388608]> : tensor<3xi32>
// wrong (summed in i24 wrap): dense<[5629194, -3265555, 5554885]> : tensor<3xi32>
// wrong (summed in i31 saturate): dense<[1073741823, -1073741824, 592209587]> : tensor<3xi32>
// wrong (summed in i31 wrap): dense<[-514464502, 567159789, 777306821]> : tensor<3xi32>
module {
  func.func @main(%x: tensor<3x4xi32>, %init: tensor<i32>) -> tensor<3xi32> {
    %0 = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}
