// clause: sdy.manual_computation: the body runs on each device of the mesh
// Axis y is the minor one of the second dimension: device (x, y) = (0, 1) has the second half of the first row.
// derivation: by hand: sums over x of columns [1, 2] and [5, 6], [3, 4] and [7, 8], gathered along y
// schedules: any
// args: dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
// expect: dense<[[6, 8, 10, 12]]> : tensor<1x4xi32>
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%x: tensor<2x4xi32>) -> tensor<1x4xi32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"x", "y"} (%a: tensor<1x2xi32>) {
      %1 = "stablehlo.all_reduce"(%a) ({
      ^bb0(%b: tensor<i32>, %c: tensor<i32>):
        %2 = stablehlo.add %b, %c : tensor<i32>
        stablehlo.return %2 : tensor<i32>
      }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xi32>) -> tensor<1x2xi32>
      sdy.return %1 : tensor<1x2xi32>
    } : (tensor<2x4xi32>) -> tensor<1x4xi32>
    %3 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<1x4xi32>
    %4 = sdy.reshard %3 <@mesh, [{}, {"y"}]> : tensor<1x4xi32>
    func.return %4 : tensor<1x4xi32>
  }
}
