// SPDX-License-Identifier: Apache-2.0
// The reference operators against loops in double precision that follow the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/failure.h"
#include "cuda/runtime/memory.h"
#include "cuda_arrays.h"
#include "cuda_emulation/reference_operators.h"
#include "cuda_emulation/runtime.h"

namespace dlperf::worker::cuda::test {
namespace {

using dnn::ConvolutionShape;

ConvolutionShape shape(int batch, int in, int out, int size, int kernel, int stride, int padding) {
    return {batch, in, out, size, (size + 2 * padding - kernel) / stride + 1, kernel, stride, padding};
}

// The stem's kind, 3x3 with both strides, 1x1 with both; numbers of filters that are no multiple of four.
const ConvolutionShape shapes[] = {shape(2, 4, 8, 13, 7, 2, 3), shape(2, 8, 6, 5, 3, 1, 1),
                                   shape(3, 8, 8, 6, 3, 2, 1), shape(2, 16, 12, 4, 1, 1, 0),
                                   shape(2, 8, 5, 7, 1, 2, 0)};

// Three tensors in double precision.
struct Layer {
    std::vector<double> input, filter, output;
};

std::size_t count(const dnn::Dimensions& sizes) {
    return static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2] * sizes[3]);
}

// Calls `visit(input, filter, output)` with the indexes of all that are multiplied.
void forEachProduct(const ConvolutionShape& s, const std::function<void(int, int, int)>& visit) {
    for (int n = 0; n < s.batch; ++n) {
        for (int p = 0; p < s.outSize * s.outSize; ++p) {
            for (int k = 0; k < s.outChannels; ++k) {
                for (int tap = 0; tap < s.kernel * s.kernel; ++tap) {
                    const int y = p / s.outSize * s.stride - s.padding + tap / s.kernel;
                    const int x = p % s.outSize * s.stride - s.padding + tap % s.kernel;
                    if (y < 0 || x < 0 || y >= s.inSize || x >= s.inSize) {
                        continue;
                    }
                    for (int c = 0; c < s.inChannels; ++c) {
                        visit(((n * s.inSize + y) * s.inSize + x) * s.inChannels + c,
                              (k * s.kernel * s.kernel + tap) * s.inChannels + c,
                              (n * s.outSize * s.outSize + p) * s.outChannels + k);
                    }
                }
            }
        }
    }
}

// Sets the tensor that the pass sets.
void compute(Pass pass, const ConvolutionShape& s, Layer& layer) {
    std::vector<double>& result = pass == Pass::Forward        ? layer.output
                                  : pass == Pass::DataGradient ? layer.input
                                                               : layer.filter;
    std::fill(result.begin(), result.end(), 0);
    forEachProduct(s, [&](int i, int f, int o) {
        double& x = layer.input[static_cast<std::size_t>(i)];
        double& w = layer.filter[static_cast<std::size_t>(f)];
        double& y = layer.output[static_cast<std::size_t>(o)];
        if (pass == Pass::Forward) {
            y += x * w;
        }
        if (pass == Pass::DataGradient) {
            x += w * y;
        }
        if (pass == Pass::WeightGradient) {
            w += x * y;
        }
    });
}

// A layer's tensors as the products have them; what a pass sets holds something else before.
template <typename T, typename Output>
struct Tensors {
    Array<T> input, filter;
    Array<Output> output;

    explicit Tensors(const ConvolutionShape& s)
        : input(numbers(count(s.input()), 1)),
          filter(numbers(count(s.filter()), 2, 0.5)),
          output(numbers(count(s.output()), 3)) {}
    LayerTensors pointers() const { return {input.data(), filter.data(), output.data()}; }
    Layer values() const { return {input.values(), filter.values(), output.values()}; }
};

void expectNear(const std::vector<double>& found, const std::vector<double>& expected, double rounding) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], expected[i], rounding * std::abs(expected[i]) + 2e-5) << i;
    }
}

template <typename T>
class ReferenceOperators : public testing::Test {
public:
    Stream stream;
    emulation::ReferenceOperators<T> operators{stream};
};
using Types = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(ReferenceOperators, Types);

constexpr Pass passes[] = {Pass::Forward, Pass::DataGradient, Pass::WeightGradient};

TYPED_TEST(ReferenceOperators, ConvolutionsAreThoseOfTheDefinition) {
    std::vector<Operators::Wanted> wanted;
    for (const Pass pass : passes) {
        for (const ConvolutionShape& s : shapes) {
            wanted.push_back({pass, s});
        }
    }
    this->operators.prepare(wanted);
    for (const auto& [pass, s] : wanted) {
        const Tensors<TypeParam, TypeParam> tensors(s);
        Layer expected = tensors.values();
        compute(pass, s, expected);
        this->operators.run(pass, s, tensors.pointers());
        this->stream.wait();
        const Layer found = tensors.values();
        for (const auto& tensor : {&Layer::input, &Layer::filter, &Layer::output}) {
            expectNear(found.*tensor, expected.*tensor, roundingError<TypeParam>);
        }
    }
}

// `Output`: of the layer's output, which is float in Forward and T where it is its gradient.
template <typename T, typename Output>
void testLinear(Operators& operators, const Stream& stream, Pass pass) {
    const LinearShape linear{.batch = 5, .inputs = 24, .outputs = 10};
    const ConvolutionShape s = shape(linear.batch, linear.inputs, linear.outputs, 1, 1, 1, 0);
    const Tensors<T, Output> tensors(s);
    Layer expected = tensors.values();
    compute(pass, s, expected);
    operators.run(pass, linear, tensors.pointers());
    stream.wait();
    const Layer found = tensors.values();
    expectNear(found.input, expected.input, roundingError<T>);
    expectNear(found.filter, expected.filter, roundingError<T>);
    expectNear(found.output, expected.output, roundingError<Output>);
}

TYPED_TEST(ReferenceOperators, FullyConnectedLayerIsThatOfTheDefinition) {
    testLinear<TypeParam, float>(this->operators, this->stream, Pass::Forward);
    testLinear<TypeParam, TypeParam>(this->operators, this->stream, Pass::DataGradient);
    testLinear<TypeParam, TypeParam>(this->operators, this->stream, Pass::WeightGradient);
}

TYPED_TEST(ReferenceOperators, WhatWasNotPreparedIsRefused) {
    const Operators::Wanted wanted[] = {{Pass::Forward, shapes[1]}};
    this->operators.prepare(wanted);
    const Tensors<TypeParam, TypeParam> tensors(shapes[1]);
    LayerTensors pointers = tensors.pointers();
    EXPECT_NO_THROW(this->operators.run(Pass::Forward, shapes[1], pointers));
    EXPECT_THROW(this->operators.run(Pass::DataGradient, shapes[1], pointers), Failure);
    EXPECT_THROW(this->operators.run(Pass::Forward, shapes[2], pointers), Failure);
    EXPECT_THROW(this->operators.prepare(wanted), Failure);
    pointers.filter = nullptr;
    EXPECT_THROW(this->operators.run(Pass::Forward, shapes[1], pointers), Failure);
    this->stream.wait();
}

TYPED_TEST(ReferenceOperators, AreWorkOfTheirStreamThatCanBeCaptured) {
    const ConvolutionShape s = shape(1, 4, 4, 1, 1, 1, 0);
    const Operators::Wanted wanted[] = {{Pass::Forward, s}};
    this->operators.prepare(wanted);
    const Array<TypeParam> x({1, 2, 3, 4});
    const Array<TypeParam> w({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1});
    const DeviceMemory output(16);
    TypeParam* const y = output.at<TypeParam>(0);

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(this->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    this->operators.run(Pass::Forward, s, {x.data(), w.data(), y});
    ASSERT_EQ(cudaStreamEndCapture(this->stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (const double first : {1.0, 7.0}) {
        assign(x[0], first);
        ASSERT_EQ(cudaGraphLaunch(executable, this->stream), cudaSuccess);
        this->stream.wait();
        EXPECT_EQ(asDouble(y[0]), first);
        EXPECT_EQ(asDouble(y[3]), first + 9);
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

TYPED_TEST(ReferenceOperators, WhatIsNotANumberStaysSo) {
    const ConvolutionShape s = shape(1, 4, 4, 3, 3, 1, 1);
    const Operators::Wanted wanted[] = {
        {Pass::Forward, s}, {Pass::DataGradient, s}, {Pass::WeightGradient, s}};
    this->operators.prepare(wanted);
    for (const Pass pass : passes) {
        const Tensors<TypeParam, TypeParam> tensors(s);
        LayerTensors pointers = tensors.pointers();
        const DeviceMemory unwritten(1024);
        (pass == Pass::DataGradient ? pointers.filter : pointers.input) = unwritten.at<void>(0);
        this->operators.run(pass, s, pointers);
        this->stream.wait();
        const Layer found = tensors.values();
        EXPECT_TRUE(std::isnan(pass == Pass::Forward        ? found.output[4]
                               : pass == Pass::DataGradient ? found.input[4]
                                                            : found.filter[4]));
    }
}

// The stored output for the sum of two numbers.
template <typename T>
double roundedSum(double a, double b) {
    const ConvolutionShape s = shape(1, 4, 4, 1, 1, 1, 0);
    emulation::ReferenceOperators<T> operators(nullptr);
    const Operators::Wanted wanted[] = {{Pass::Forward, s}};
    operators.prepare(wanted);
    const Array<T> x({a, b, 0, 0});
    const Array<T> w(std::vector<double>(16, 1));
    const Array<T> y(4);
    operators.run(Pass::Forward, s, {x.data(), w.data(), y.data()});
    return y.value(0);
}

TEST(ReferenceProductsRounding, IsToTheNearestWithTiesToEven) {
    EXPECT_EQ(roundedSum<__half>(1, std::ldexp(1, -11)), 1);
    EXPECT_EQ(roundedSum<__half>(1, std::ldexp(3, -11)), 1 + std::ldexp(1, -9));
    EXPECT_EQ(roundedSum<__nv_bfloat16>(1, std::ldexp(1, -8)), 1);
    EXPECT_EQ(roundedSum<__nv_bfloat16>(1, std::ldexp(3, -8)), 1 + std::ldexp(1, -6));
    EXPECT_EQ(roundedSum<float>(1, std::ldexp(1, -20)), 1 + std::ldexp(1, -20));
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
