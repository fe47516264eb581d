// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <memory>

#include "comm/comm.h"
#include "comm/gradient_reducer.h"
#include "comm/rendezvous.h"
#include "formula.h"
#include "program/program.h"

namespace dlperf::worker::check {
namespace {

// This process's share of the formula's n-th batch.
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
    for (int n = 0; n < options.batches; ++n) {
        batches.push_back(shareOf(n, options.worker, world));
    }
    return batches;
}

std::vector<std::vector<float>> gradientsOf(const Backend& backend, float average) {
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < backend.parameters().size(); ++i) {
        all.push_back(backend.gradient(i));
        for (float& value : all.back()) {
            value *= average;
        }
    }
    return all;
}

// Of the first batch, reduced over all processes by way of the host.
void findGradients(Backend& backend, const CheckOptions& options, const World& world, Rendezvous& rendezvous,
                   Findings& findings) {
    const auto comm = connectComm(world, options.worker, rendezvous);
    const std::span<float> gradients = backend.gradients();
    // Small buckets: the more of them, the more could go wrong between the backward pass and the reducer.
    GradientReducer reducer(*comm, gradients,
                            makeBuckets(backend.gradientOffsets(), gradients.size(), 1 << 18, 1 << 20));
    const FormulaBatch batch = shareOf(0, options.worker, world);
    backend.computeGradients(batch.view(), [&](std::size_t first) { reducer.ready(first); });
    reducer.finish();
    const float average = 1.0F / static_cast<float>(world.size);
    findings.losses.push_back(gradients.back() * average);
    findings.gradients = gradientsOf(backend, average);
}

// As dlperf-worker takes them.
void findLosses(Backend& backend, const CheckOptions& options, const World& world, Rendezvous& rendezvous,
                Findings& findings) {
    const Options& worker = options.worker;
    const SgdStep sgd{static_cast<float>(worker.learningRate.value_or(defaultLearningRate)),
                      static_cast<float>(worker.momentum), static_cast<float>(worker.weightDecay), 1};
    const auto batches = batchesFor(options, world);
    // Where there is a loss scale, this makes it fit: else the first steps would be left out.
    backend.computeGradients(batches.front().view(), [](std::size_t) {});
    const auto trainer = makeTrainer(backend, {world, worker, rendezvous, sgd});
    int started = 0;
    for (int step = 0; step < options.steps; ++step) {
        for (; started < options.steps && started < step + trainer->depth(); ++started) {
            trainer->start(batches[static_cast<std::size_t>(started) % batches.size()].view());
        }
        findings.losses.push_back(trainer->finish().loss);
    }
}

}  // namespace

std::unique_ptr<Backend> backendFor(const CheckOptions& options, const World& world) {
    const Options& worker = options.worker;
    return formulaBackend(worker.backend, {worker.batchSize, worker.imageSize, worker.classes,
                                           worker.precision, worker.labelSmoothing, worker.threads,
                                           world.localSize, options.frozenNorm, world.localRank});
}

Findings findingsOf(const CheckOptions& options, const World& world) {
    Rendezvous rendezvous(world, options.worker, {});
    Findings findings;
    rendezvous.together([&] {
        const auto backend = backendFor(options, world);
        rendezvous.compare(world, backend->layoutId(), backend->deviceId());
        findings.parameters = backend->parameters();
        findings.backend = backend->name();
        (options.steps > 0 ? findLosses : findGradients)(*backend, options, world, rendezvous, findings);
    });
    return findings;
}

}  // namespace dlperf::worker::check
