// SPDX-License-Identifier: Apache-2.0
#include "findings.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "comm/bucketing.h"
#include "comm/connect.h"
#include "comm/gradient_reducer.h"
#include "formula.h"

namespace dlperf::worker::check {
namespace {

std::unique_ptr<Backend> backendFor(const CheckOptions& options, const World& world) {
    const Options& worker = options.worker;
    return formulaBackend(worker.backend,
                          {worker.batchSize, worker.imageSize, worker.classes, worker.precision,
                           worker.labelSmoothing, worker.threads, world.localSize, options.frozenNorm});
}

/// This process's share of the formula's n-th batch.
FormulaBatch shareOf(int n, const Options& options, const World& world) {
    const auto share = static_cast<std::size_t>(options.batchSize);
    const auto place = static_cast<std::size_t>(n) * static_cast<std::size_t>(world.size) +
                       static_cast<std::size_t>(world.rank);
    return formulaBatch(place * share, share, static_cast<std::size_t>(options.imageSize),
                        static_cast<std::size_t>(options.classes));
}

std::vector<FormulaBatch> batchesFor(const CheckOptions& options, const World& world) {
    std::vector<FormulaBatch> batches;
    batches.reserve(static_cast<std::size_t>(options.batches));
    for (int n = 0; n < options.batches; ++n)
        batches.push_back(shareOf(n, options.worker, world));
    return batches;
}

std::vector<std::vector<float>> gradientsOf(const Backend& backend, float average) {
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < backend.parameters().size(); ++i) {
        all.push_back(backend.gradient(i));
        for (float& value : all.back())
            value *= average;
    }
    return all;
}

}  // namespace

Findings findingsOf(const CheckOptions& options, const World& world) {
    const Options& worker = options.worker;
    const auto backend = backendFor(options, world);
    const auto comm = connectWorld(world, worker, *backend, {});
    const std::span<float> gradients = backend->gradients();
    // Small buckets: the more of them, the more could go wrong between the backward pass and the reducer.
    GradientReducer reducer(*comm, gradients,
                            makeBuckets(backend->gradientOffsets(), gradients.size(), 1 << 18, 1 << 20));
    const auto batches = batchesFor(options, world);
    const float average = 1.0F / static_cast<float>(world.size);
    const SgdStep sgd{static_cast<float>(worker.learningRate.value_or(kDefaultLearningRate)),
                      static_cast<float>(worker.momentum), static_cast<float>(worker.weightDecay), average};

    Findings findings;
    findings.parameters = backend->parameters();
    findings.libraries = backend->libraries();
    for (int step = 0; step < std::max(options.steps, 1); ++step) {
        const FormulaBatch& batch = batches[static_cast<std::size_t>(step) % batches.size()];
        backend->computeGradients(batch.view(), [&](std::size_t first) { reducer.ready(first); });
        reducer.finish();
        findings.losses.push_back(backend->gradients().back() * average);
        if (options.steps > 0) backend->applyGradients(sgd);
    }
    if (options.steps == 0) findings.gradients = gradientsOf(*backend, average);
    return findings;
}

}  // namespace dlperf::worker::check
