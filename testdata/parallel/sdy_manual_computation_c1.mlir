// Each of two devices has half of four elements.
// expect: violation sdy_manual_computation_c1 (strict)
module {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<4xf32>) {
    %r0 = "sdy.manual_computation"(%arg0) ({
    ^bb0(%a: tensor<2xf32>):
      "sdy.return"(%a) : (tensor<2xf32>) -> ()
    }) {in_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>, out_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>} : (tensor<6xf32>) -> (tensor<4xf32>)
    "func.return"(%r0) : (tensor<4xf32>) -> ()
  }
}
