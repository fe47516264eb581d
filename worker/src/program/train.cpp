// SPDX-License-Identifier: Apache-2.0
#include "program/program.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/version.h"
#include "base/world.h"
#include "comm/rendezvous.h"
#include "data/source.h"
#include "net/resnet50.h"
#include "program/log.h"
#include "program/rank_times.h"

namespace dlperf::worker {
namespace {

// What one iteration was like. Times are seconds of wall time.
struct IterationReport {
    int iteration = 0;  // from 1
    std::uint64_t epoch = 0;
    float loss = 0;
    double time = 0;  // from the end of the iteration before to the end of this one
    double data = 0;  // of which waiting for images
    double comm = 0;  // of which waiting for gradients to be reduced
    long globalBatchSize = 0;
};

std::string lineOf(const IterationReport& report) {
    char text[256];
    std::snprintf(
        text, sizeof text,
        "iteration %d epoch %llu loss %.4f time %.6f s data %.6f s comm %.6f s throughput %.2f images/s",
        report.iteration, static_cast<unsigned long long>(report.epoch), static_cast<double>(report.loss),
        report.time, report.data, report.comm, static_cast<double>(report.globalBatchSize) / report.time);
    return text;
}

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

Problem problemOf(const Options& options, const World& world) {
    return {options.batchSize,      options.imageSize,
            options.classes,        options.precision,
            options.labelSmoothing, options.threads,
            world.localSize,        false,
            world.localRank,        options.data.empty() ? DecodePlace::Host : options.decode};
}

void initialize(Backend& backend, const Options& options) {
    const auto& parameters = backend.parameters();
    const int features = static_cast<int>(parameters[parameters.size() - 2].shape[1]);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        backend.setParameter(i, initialValues(parameters[i], options.seed, i, features));
    }
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

std::string decodePlace(const Backend& backend) {
    const std::string decoder = backend.decoder();
    return decoder.empty() ? "host" : "gpu (" + decoder + ")";
}

void writeHeader(Log& log, const Options& options, const World& world, const Backend& backend,
                 const Trainer& trainer, double learningRate) {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"backend", backend.name()},
        {"precision", toString(options.precision)},
        {"batch_size", std::to_string(options.batchSize)},
        {"world_size", std::to_string(world.size)},
        {"image_size", std::to_string(options.imageSize)},
        {"classes", std::to_string(options.classes)},
        {"threads", std::to_string(options.threads)},
        {"data", options.data.empty() ? "synthetic" : options.data},
        {"seed", std::to_string(options.seed)},
        {"learning_rate", shortNumber(learningRate)},
        {"momentum", shortNumber(options.momentum)},
        {"weight_decay", shortNumber(options.weightDecay)},
        {"label_smoothing", shortNumber(options.labelSmoothing)},
        {"comm", trainer.comm()},
        // The options: above stands what this machine made of them.
        {"asked_backend", toString(options.backend)},
        {"asked_comm", toString(options.comm)},
        {"libraries", backend.libraries()},
    };
    // How the recipe starts this process, where it does.
    for (const auto& [fact, variable] : {std::pair("asked_launcher", "DLPERF_OPT_LAUNCHER"),
                                         std::pair("asked_bind_to", "DLPERF_OPT_BIND_TO")}) {
        if (const auto asked = processEnvironment(variable)) {
            facts.emplace_back(fact, *asked);
        }
    }
    if (!backend.fusion().empty()) {
        facts.emplace_back("fusion", backend.fusion());
    }
    if (!options.data.empty()) {
        facts.emplace_back("workers", options.workers ? std::to_string(*options.workers) : "as needed");
        facts.emplace_back("decode", decodePlace(backend));
        facts.emplace_back("asked_decode", toString(options.decode));
    }
    log.header(programVersion(), facts);
}

std::string skippedNote(int iteration, float lossScale) {
    return "iteration " + std::to_string(iteration) +
           " taught nothing: a gradient was too large for fp16; the loss scale is now " +
           shortNumber(static_cast<double>(lossScale));
}

void trainSteps(const Options& options, const World& world, Backend& backend, DataSource& source,
                Rendezvous& rendezvous, const SgdStep& step) {
    const long globalBatchSize = static_cast<long>(options.batchSize) * world.size;
    const std::unique_ptr<Trainer> trainer = makeTrainer(backend, {world, options, rendezvous, step});
    Log log;
    if (world.rank == 0) {
        writeHeader(log, options, world, backend, *trainer, step.learningRate);
    }

    std::string decode = decodePlace(backend);
    std::deque<double> waited;  // of the steps under way: seconds that each waited for its images
    RankTimes times(options.warmup);
    auto last = Clock::now();
    for (int started = 0, iteration = 1; iteration <= options.iterations; ++iteration) {
        for (; started < options.iterations && started < iteration - 1 + trainer->depth(); ++started) {
            const auto asked = Clock::now();
            const Batch batch = source.next();
            waited.push_back(seconds(Clock::now() - asked));
            trainer->start(batch);
        }
        const StepOutcome outcome = trainer->finish();
        const auto now = Clock::now();
        const double data = outcome.data.value_or(waited.front());
        times.add(iteration, seconds(now - last), data, outcome.comm);
        const std::string decodeNote = backend.takeDecodeNote();
        if (world.rank == 0) {
            const auto seen =
                static_cast<std::uint64_t>(iteration - 1) * static_cast<std::uint64_t>(globalBatchSize);
            log.line(lineOf({iteration, seen / source.epochSize(), outcome.loss, seconds(now - last), data,
                             outcome.comm, globalBatchSize}));
            if (!decodeNote.empty()) {
                log.fact("note: " + decodeNote);
            }
            if (outcome.skipped) {
                log.fact("note: " + skippedNote(iteration, outcome.lossScale));
            }
        } else if (!decodeNote.empty()) {
            decode += "; " + decodeNote;
        }
        waited.pop_front();
        last = now;
    }
    const auto tell = [&log](const std::vector<std::string>& facts) {
        for (const std::string& text : facts) {
            log.fact(text);
        }
    };
    tell(times.exchange(world, rendezvous));
    tell(othersThan(backend.fusion(), ',', "fuses", world, rendezvous));
    if (!options.data.empty()) {
        tell(othersThan(decode, '\n', "decodes images on", world, rendezvous));
    }
    if (world.rank == 0 && !options.workers && source.threads() > 0) {
        log.fact("workers in the end: " + std::to_string(source.threads()));
    }
}

void trainTogether(const Options& options, const World& world, Rendezvous& rendezvous) {
    const std::unique_ptr<Backend> backend = makeBackend(options.backend, problemOf(options, world));
    // After the backend, which has made sure that a batch of this size fits.
    const std::unique_ptr<DataSource> source =
        makeDataSource(options, world, {backend->mirrors(), !backend->decoder().empty()});
    initialize(*backend, options);
    rendezvous.compare(world, backend->layoutId(), backend->deviceId(), source->images());
    const double learningRate = learningRateOf(options, static_cast<long>(options.batchSize) * world.size);
    const SgdStep step{static_cast<float>(learningRate), static_cast<float>(options.momentum),
                       static_cast<float>(options.weightDecay), 1};
    trainSteps(options, world, *backend, *source, rendezvous, step);
}

}  // namespace

void work(const Options& options, const World& world, FileDescriptor listener) {
    // Before processes meet, which would wait for one that fails.
    if (options.measure == Measured::Training) {
        checkBackend(options.backend, options.precision);
        if (options.decode == DecodePlace::Gpu && !options.data.empty()) {
            checkDecoding(options.backend, world.localRank);
        }
    } else if (options.measure == Measured::Links && options.comm != CommKind::Gloo) {
        (void)gpuBackend(options.backend);
    }
    Rendezvous rendezvous(world, options, std::move(listener));
    rendezvous.together([&] {
        if (options.measure == Measured::Links) {
            measureLinks(options, world, rendezvous);
        } else if (options.measure == Measured::Data) {
            measureData(options, world);
        } else {
            trainTogether(options, world, rendezvous);
        }
    });
}

}  // namespace dlperf::worker
