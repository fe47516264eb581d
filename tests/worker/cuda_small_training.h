// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "cuda/cuda_backend.h"
#include "distance.h"
#include "failures.h"
#include "reference_operators.h"
#include "runtime.h"
#include "worker/check/formula.h"

namespace dlperf::worker {
inline void PrintTo(Precision precision, std::ostream* out) {
    *out << toString(precision);
}
}  // namespace dlperf::worker

namespace dlperf::worker::cuda {

// Training on small images on the emulated runtime.

constexpr int smallBatch = 2;
constexpr int smallSize = 32;
constexpr int smallClasses = 10;

inline std::unique_ptr<Operators> referenceOperators(const Stream& stream, Precision precision) {
    if (precision == Precision::Fp16) {
        return std::make_unique<emulation::ReferenceOperators<__half>>(stream);
    }
    if (precision == Precision::Bf16) {
        return std::make_unique<emulation::ReferenceOperators<__nv_bfloat16>>(stream);
    }
    return std::make_unique<emulation::ReferenceOperators<float>>(stream);
}

inline Problem smallProblem(Precision precision, int batchSize = smallBatch) {
    Problem problem;
    problem.batchSize = batchSize;
    problem.imageSize = smallSize;
    problem.classes = smallClasses;
    problem.precision = precision;
    problem.labelSmoothing = 0.1;
    return problem;
}

// The formula's weights of each parameter, computed once: all networks here have the same parameters.
inline const std::vector<std::vector<float>>& smallWeights(const std::vector<Parameter>& parameters) {
    static const std::vector<std::vector<float>> all = [&] {
        std::vector<std::vector<float>> each;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            each.push_back(check::formulaWeights(parameters[i], i));
        }
        return each;
    }();
    return all;
}

inline void setFormulaWeights(Backend& backend) {
    for (std::size_t i = 0; i < backend.parameters().size(); ++i) {
        backend.setParameter(i, smallWeights(backend.parameters())[i]);
    }
}

inline std::unique_ptr<Backend> emulatedBackend(const Problem& problem, const BackendFactories& factories = {
                                                                            referenceOperators, {}}) {
    std::unique_ptr<Backend> backend = makeCudaBackend(problem, factories);
    setFormulaWeights(*backend);
    return backend;
}

inline check::FormulaBatch images(std::size_t first, std::size_t count = smallBatch) {
    return check::formulaBatch(first, count, smallSize, smallClasses);
}

struct Distances {
    double worst = 0;
    double median = 0;
    double loss = 0;
};

// What a batch gives: the gradient of each parameter, and the loss.
struct Gradients {
    std::vector<std::vector<float>> parameters;
    float loss = 0;
};

inline Gradients gradientsOf(Backend& backend, const Batch& batch) {
    backend.computeGradients(batch, [](std::size_t) {});
    Gradients gradients;
    for (std::size_t i = 0; i < backend.parameters().size(); ++i) {
        gradients.parameters.push_back(backend.gradient(i));
    }
    gradients.loss = backend.gradients().back();
    return gradients;
}

inline Distances distancesBetween(const Gradients& ours, const Gradients& theirs) {
    std::vector<double> all;
    for (std::size_t i = 0; i < ours.parameters.size(); ++i) {
        all.push_back(relativeDistance(ours.parameters[i], theirs.parameters[i]));
    }
    std::sort(all.begin(), all.end());
    const double loss = std::abs(static_cast<double>(ours.loss / theirs.loss) - 1);
    std::printf("worst %.1e, median %.1e, loss %.1e\n", all.back(), all[all.size() / 2], loss);
    return {all.back(), all[all.size() / 2], loss};
}

class CudaTraining : public testing::Test {
protected:
    CudaTraining() { emulation::reset(); }
    ~CudaTraining() override {
        // Whatever a test made is gone by now.
        EXPECT_TRUE(emulation::live() == emulation::Live{});
    }
};

}  // namespace dlperf::worker::cuda
