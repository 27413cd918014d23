// clause: all_reduce: to_destination_type(operands, type(func_inputs(computation)[0]))
// The computation is in i32, and so is the result: 100 + 100 does not wrap.
// derivation: by hand: 100 + 100
// schedules: any
// expect: dense<[200]> : tensor<1xi32>
// expect: dense<[200]> : tensor<1xi32>
// wrong (wraps in i8): dense<[-56]> : tensor<1xi32>; dense<[-56]> : tensor<1xi32>
module {
  func.func public @main() -> (tensor<1xi32>, tensor<1xi32>) {
    %x0 = stablehlo.constant dense<[100]> : tensor<1xi8>
    %x1 = stablehlo.constant dense<[100]> : tensor<1xi8>
    %r:2 = "interpreter.run_parallel"(%x0, %x1) {programs = [[@part], [@part]]} : (tensor<1xi8>, tensor<1xi8>) -> (tensor<1xi32>, tensor<1xi32>)
    func.return %r#0, %r#1 : tensor<1xi32>, tensor<1xi32>
  }
  func.func private @part(%x: tensor<1xi8>) -> tensor<1xi32> {
    %r = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %s = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %s : tensor<i32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xi8>) -> tensor<1xi32>
    func.return %r : tensor<1xi32>
  }
}
