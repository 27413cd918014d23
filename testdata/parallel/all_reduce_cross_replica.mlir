// clause: all_reduce: cross_replica(replica_groups) if channel_id <= 0 and use_global_device_ids = false
// Processes (0, 0), (0, 1), (1, 0), (1, 1) have 1, 2, 4, 8: only equal partitions meet.
// derivation: by hand: 1 + 4 and 2 + 8
// schedules: any
// expect: dense<[5, 50]> : tensor<2xi32>
// expect: dense<[10, 100]> : tensor<2xi32>
// expect: dense<[5, 50]> : tensor<2xi32>
// expect: dense<[10, 100]> : tensor<2xi32>
module {
  func.func public @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
    %x0 = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
    %x1 = stablehlo.constant dense<[2, 20]> : tensor<2xi32>
    %x2 = stablehlo.constant dense<[4, 40]> : tensor<2xi32>
    %x3 = stablehlo.constant dense<[8, 80]> : tensor<2xi32>
    %r:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) {programs = [[@part, @part], [@part, @part]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    func.return %r#0, %r#1, %r#2, %r#3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  func.func private @part(%x: tensor<2xi32>) -> tensor<2xi32> {
    %r = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
