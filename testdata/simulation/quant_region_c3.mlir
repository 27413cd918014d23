// The element type of the output is f32, not f64.
// expect: violation quant_region_c3 (strict)
module {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "quant.region"(%x, %y) ({
    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "quant.return"(%1) : (tensor<2xf32>) -> ()
    }) {input_specs = [!quant.uniform<i8:f32, 0.5>, !quant.uniform<i8:f32, 0.5>], output_specs = [f64], logical_kernel = "generic.add"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
