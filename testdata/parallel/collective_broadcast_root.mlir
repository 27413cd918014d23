// clause: collective_broadcast: the source is process_groups[i, 0]
// The root is process 2, since the group names it first; process 0 is in no group.
// derivation: by hand: 0, then the value of process 2 twice
// schedules: any
// expect: dense<[0, 0]> : tensor<2xi32>
// expect: dense<[4, 40]> : tensor<2xi32>
// expect: dense<[4, 40]> : tensor<2xi32>
module {
  func.func public @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
    %x0 = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
    %x1 = stablehlo.constant dense<[2, 20]> : tensor<2xi32>
    %x2 = stablehlo.constant dense<[4, 40]> : tensor<2xi32>
    %r:3 = "interpreter.run_parallel"(%x0, %x1, %x2) {programs = [[@part], [@part], [@part]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    func.return %r#0, %r#1, %r#2 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  func.func private @part(%x: tensor<2xi32>) -> tensor<2xi32> {
    %r = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
