// clause: all_reduce: replica_groups may be filled up with -1
// -1 is no process; the third one is alone.
// derivation: by hand: 1 + 2 and 4
// schedules: any
// expect: dense<[3, 30]> : tensor<2xi32>
// expect: dense<[3, 30]> : tensor<2xi32>
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
    %r = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
        }) {replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
