// clause: all_reduce: exec(leaf) = leaf.value, the operands alone
// There is no init value: a 0 before the operands would make this product 0.
// derivation: by hand: 3 * 5 and 30 * 50
// schedules: any
// expect: dense<[15, 1500]> : tensor<2xi32>
// expect: dense<[15, 1500]> : tensor<2xi32>
// wrong (from 0): dense<[0, 0]> : tensor<2xi32>; dense<[0, 0]> : tensor<2xi32>
module {
  func.func public @main() -> (tensor<2xi32>, tensor<2xi32>) {
    %x0 = stablehlo.constant dense<[3, 30]> : tensor<2xi32>
    %x1 = stablehlo.constant dense<[5, 50]> : tensor<2xi32>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part], [@part]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    func.return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
  }
  func.func private @part(%x: tensor<2xi32>) -> tensor<2xi32> {
    %r = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.multiply %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
