// Specs are a list.
// expect: violation quant_region_i2 (strict)
module {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "quant.region"(%x, %y) ({
    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "quant.return"(%1) : (tensor<2xf32>) -> ()
    }) {input_specs = [!quant.uniform<i8:f32, 0.5>, !quant.uniform<i8:f32, 0.5>], output_specs = !quant.uniform<i8:f32, 0.5>, logical_kernel = "generic.add"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
