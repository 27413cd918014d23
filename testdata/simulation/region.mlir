// clause: quant.region: outputs = simulated(body(simulated(inputs)...)), simulated(x) = dequantize(quantize(x))
// Only ports with a uniform spec are simulated: the range that %b was seen to have, or wants, changes nothing.
// derivation: by hand: %a becomes [0.5, 3.5]; the sums [0.75, -5.5] are stored as rne(4.5) = 4 and -8
// args: dense<[0.3, 7.0]> : tensor<2xf32>
// args: dense<[0.25, -9.0]> : tensor<2xf32>
// expect: dense<[0.5, -5.5]> : tensor<2xf32>
// expect: dense<[0.5, 3.5]> : tensor<2xf32>
// wrong (the body on the operands themselves): dense<[0.5, -2.0]> : tensor<2xf32>; dense<[0.3, 7.0]> : tensor<2xf32>
// wrong (the zero point added after rounding): dense<[1.0, -5.5]> : tensor<2xf32>; dense<[0.5, 3.5]> : tensor<2xf32>
module {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0:2 = "quant.region"(%x, %y) ({
    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
      %1 = stablehlo.add %a, %b : tensor<2xf32>
      "quant.return"(%1, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
    }) {input_specs = [!quant.uniform<i8<-8:7>:f32, 0.5>, !quant.any<i4:f32>], output_specs = [!quant.uniform<i4:f32, 0.5:3>, !quant.calibrated<f32<-1.0:1.0>>], logical_kernel = "generic.add"} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    func.return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
  }
}
