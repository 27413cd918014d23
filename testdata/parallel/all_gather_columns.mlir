// clause: all_gather: results...@process = concatenate(operands...@process_group, all_gather_dim)
// Along the other dimension the rows would stand below each other; in another order process 1 would come first.
// derivation: by hand: each row of process 0, then that of process 1
// schedules: any
// expect: dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi32>
// expect: dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi32>
module {
  func.func public @main() -> (tensor<2x4xi32>, tensor<2x4xi32>) {
    %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part], [@part]]} : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>)
    func.return %r#0, %r#1 : tensor<2x4xi32>, tensor<2x4xi32>
  }
  func.func private @part(%x: tensor<2x2xi32>) -> tensor<2x4xi32> {
    %r = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2xi32>) -> tensor<2x4xi32>
    func.return %r : tensor<2x4xi32>
  }
}
