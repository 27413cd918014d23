// clause: sort: of quantized inputs, too, results have the types of inputs: storage moves
// Stored numbers of another scale that the comparator dequantizes: the order is that of the numbers, no bit of
// the storage changes. An implementation that dequantizes and quantizes what it moves rounds -125 to -124.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-125, 5, 127, -128, 0]> : tensor<5xi8>
// expect: dense<[127, 5, 0, -125, -128]> : tensor<5xi8>
!q = !quant.uniform<i8:bf16, 0.3>
module {
  func.func @main(%x: tensor<5x!q>) -> tensor<5x!q> {
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<!q>, %b: tensor<!q>):
      %p = stablehlo.compare GT, %a, %b : (tensor<!q>, tensor<!q>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<5x!q>) -> (tensor<5x!q>)
    func.return %0 : tensor<5x!q>
  }
}
