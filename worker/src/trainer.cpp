// SPDX-License-Identifier: Apache-2.0
#include "trainer.h"

#include <chrono>
#include <memory>
#include <utility>

#include "backend.h"
#include "comm/bucketing.h"
#include "comm/connect.h"
#include "comm/gradient_reducer.h"
#include "data/source.h"
#include "log.h"
#include "net/initial_weights.h"
#include "version.h"

namespace dlperf::worker {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

Problem problemOf(const Options& options, const World& world) {
    return {options.batchSize,      options.imageSize, options.classes, options.precision,
            options.labelSmoothing, options.threads,   world.localSize, false};
}

void initialize(Backend& backend, const Options& options) {
    const auto& parameters = backend.parameters();
    const int features = static_cast<int>(parameters[parameters.size() - 2].shape[1]);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        backend.setParameter(i, initialValues(parameters[i], options.seed, i, features));
    }
}

std::vector<Bucket> bucketsOf(Backend& backend, double bucketMb) {
    constexpr double elementsPerMb = (1U << 20) / static_cast<double>(sizeof(float));
    const auto bucket = static_cast<std::size_t>(bucketMb * elementsPerMb);
    const auto first = static_cast<std::size_t>(std::min(bucketMb, 1.0) * elementsPerMb);
    return makeBuckets(backend.gradientOffsets(), backend.gradients().size(), first, bucket);
}

double learningRateOf(const Options& options, long globalBatchSize) {
    // Goyal et al. 2017: the learning rate follows the global batch size.
    return options.learningRate.value_or(0.1 * static_cast<double>(globalBatchSize) / 256);
}

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

void writeHeader(Log& log, const Options& options, const Backend& backend, const Comm& comm,
                 double learningRate) {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"backend", backendName(options.backend)},
        {"precision", toString(options.precision)},
        {"batch_size", std::to_string(options.batchSize)},
        {"world_size", std::to_string(comm.size())},
        {"image_size", std::to_string(options.imageSize)},
        {"classes", std::to_string(options.classes)},
        {"threads", std::to_string(options.threads)},
        {"data", options.data.empty() ? "synthetic" : options.data},
        {"seed", std::to_string(options.seed)},
        {"learning_rate", shortNumber(learningRate)},
        {"momentum", shortNumber(options.momentum)},
        {"weight_decay", shortNumber(options.weightDecay)},
        {"label_smoothing", shortNumber(options.labelSmoothing)},
        {"comm", comm.name()},
        {"libraries", backend.libraries()},
    };
    if (!options.data.empty()) facts.emplace_back("workers", std::to_string(options.workers));
    log.header(programVersion(), facts);
}

}  // namespace

void train(const Options& options, const World& world, FileDescriptor listener) {
    const std::unique_ptr<Backend> backend = makeBackend(options.backend, problemOf(options, world));
    // After the backend, which has made sure that a batch of this size fits.
    const std::unique_ptr<DataSource> source = makeDataSource(options, world);
    initialize(*backend, options);
    const std::unique_ptr<Comm> comm = connectWorld(world, options, *backend, std::move(listener));
    GradientReducer reducer(*comm, backend->gradients(), bucketsOf(*backend, options.bucketMb));

    const long globalBatchSize = static_cast<long>(options.batchSize) * world.size;
    const double learningRate = learningRateOf(options, globalBatchSize);
    const float average = 1.0F / static_cast<float>(world.size);
    const SgdStep step{static_cast<float>(learningRate), static_cast<float>(options.momentum),
                       static_cast<float>(options.weightDecay), average};
    Log log(stdout);
    if (world.rank == 0) writeHeader(log, options, *backend, *comm, learningRate);

    auto last = Clock::now();
    for (int iteration = 1; iteration <= options.iterations; ++iteration) {
        const auto asked = Clock::now();
        const Batch batch = source->next();
        const double data = seconds(Clock::now() - asked);
        backend->computeGradients(batch, [&](std::size_t first) { reducer.ready(first); });
        const double waited = reducer.finish();
        const float loss = backend->gradients().back() * average;
        backend->applyGradients(step);

        const auto now = Clock::now();
        if (world.rank == 0) {
            const auto seen =
                static_cast<std::uint64_t>(iteration - 1) * static_cast<std::uint64_t>(globalBatchSize);
            log.iteration({iteration, seen / source->epochSize(), loss, seconds(now - last), data, waited,
                           globalBatchSize});
        }
        last = now;
    }
}

}  // namespace dlperf::worker
