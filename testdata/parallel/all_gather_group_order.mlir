// clause: all_gather: within each process group, in the order of the group
// The group says 1 before 0, and a group need not be ascending.
// derivation: by hand: the group [1, 0] has the value of process 1 first
// schedules: any
// expect: dense<[7, 5]> : tensor<2xi32>
// expect: dense<[7, 5]> : tensor<2xi32>
// wrong (ascending order): dense<[5, 7]> : tensor<2xi32>; dense<[5, 7]> : tensor<2xi32>
module {
  func.func public @main() -> (tensor<2xi32>, tensor<2xi32>) {
    %x0 = stablehlo.constant dense<[5]> : tensor<1xi32>
    %x1 = stablehlo.constant dense<[7]> : tensor<1xi32>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part], [@part]]} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    func.return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
  }
  func.func private @part(%x: tensor<1xi32>) -> tensor<2xi32> {
    %r = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
