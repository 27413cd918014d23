// clause: reduce_scatter: result@receiver = split(all_reduce(operand))[receiver_index]
// Process 1 gets the second half of the columns.
// derivation: by hand: sums are [[11, 22, 33, 44]]
// schedules: any
// expect: dense<[[11, 22]]> : tensor<1x2xi32>
// expect: dense<[[33, 44]]> : tensor<1x2xi32>
module {
  func.func public @main() -> (tensor<1x2xi32>, tensor<1x2xi32>) {
    %x0 = stablehlo.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi32>
    %x1 = stablehlo.constant dense<[[10, 20, 30, 40]]> : tensor<1x4xi32>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part], [@part]]} : (tensor<1x4xi32>, tensor<1x4xi32>) -> (tensor<1x2xi32>, tensor<1x2xi32>)
    func.return %r#0, %r#1 : tensor<1x2xi32>, tensor<1x2xi32>
  }
  func.func private @part(%x: tensor<1x4xi32>) -> tensor<1x2xi32> {
    %r = "stablehlo.reduce_scatter"(%x) ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
        }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1x4xi32>) -> tensor<1x2xi32>
    func.return %r : tensor<1x2xi32>
  }
}
