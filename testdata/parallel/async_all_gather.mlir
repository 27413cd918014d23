// clause: async_done: waits for an asynchronous operation to complete and returns its value
// The future holds what the gathering gives.
// derivation: by hand: 1 and 2
// schedules: any
// expect: dense<[1, 2]> : tensor<2xi32>
// expect: dense<[1, 2]> : tensor<2xi32>
module {
  func.func public @main() -> (tensor<2xi32>, tensor<2xi32>) {
    %x0 = stablehlo.constant dense<[1]> : tensor<1xi32>
    %x1 = stablehlo.constant dense<[2]> : tensor<1xi32>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part], [@part]]} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    func.return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
  }
  func.func private @part(%x: tensor<1xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.async_start"(%x) ({
        ^bb0(%a: tensor<1xi32>):
          %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<2xi32>
          stablehlo.return %1 : tensor<2xi32>
        }) : (tensor<1xi32>) -> !stablehlo.future<tensor<2xi32>>
    %r = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
    func.return %r : tensor<2xi32>
  }
}
