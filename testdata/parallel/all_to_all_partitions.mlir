// clause: all_to_all: cross_partition(replica_groups) if channel_id > 0
// Each process sends its k-th column to partition k, and puts what it gets below each other.
// derivation: by hand: columns become rows
// schedules: any
// expect: dense<[[1], [3], [5], [7]]> : tensor<4x1xi32>
// expect: dense<[[2], [4], [6], [8]]> : tensor<4x1xi32>
module {
  func.func public @main() -> (tensor<4x1xi32>, tensor<4x1xi32>) {
    %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part, @part]]} : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<4x1xi32>, tensor<4x1xi32>)
    func.return %r#0, %r#1 : tensor<4x1xi32>, tensor<4x1xi32>
  }
  func.func private @part(%x: tensor<2x2xi32>) -> tensor<4x1xi32> {
    %r = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2x2xi32>) -> tensor<4x1xi32>
    func.return %r : tensor<4x1xi32>
  }
}
