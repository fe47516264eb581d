// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/world.h"
#include "comm/rendezvous.h"
#include "data/source.h"
#include "net/resnet50.h"
#include "net/sgd.h"

namespace dlperf::worker {

// What a backend builds its plan for.
struct Problem {
    int batchSize = 8;
    int imageSize = 224;
    int classes = 1000;
    Precision precision = Precision::Fp32;
    double labelSmoothing = 0;
    int threads = 1;
    int devicesOnNode = 1;  // processes that share this node's memory and its GPUs
    // Normalise with frozenMoments(), backward as well: for comparing gradients only.
    bool frozenNorm = false;
    int device = 0;  // among the GPUs that this process sees, counted around where there are fewer
    DecodePlace decode = DecodePlace::Host;
};

// One kind of work's share of a step.
struct WorkShare {
    std::string work;  // "convolutions, forward"
    double seconds = 0;
    double bytes = 0;       // of the device's memory that it reads or writes at least
    double operations = 0;  // of floating point in matrix products
};

class Trainer;
struct TrainerSetup;

// Computes on one device. Parameters are addressed by their index in parametersOf(), values in the order of
// their shape; inside, a backend keeps them in the layouts that suit it.
class Backend {
public:
    virtual ~Backend() = default;

    virtual const std::vector<Parameter>& parameters() const = 0;
    virtual void setParameter(std::size_t index, std::span<const float> values) = 0;
    virtual std::vector<float> parameter(std::size_t index) const = 0;
    virtual std::vector<float> gradient(std::size_t index) const = 0;

    // All gradients in the parameters' order, then the loss, which is so averaged with them. Processes may
    // reduce them together only where layoutId() is equal.
    virtual std::span<float> gradients() = 0;
    // Where tensors begin, ascending from 0.
    virtual std::span<const std::size_t> gradientOffsets() const = 0;
    virtual std::string layoutId() const = 0;
    // Unique in the world, where the device can reduce with others by itself.
    virtual std::string deviceId() const { return {}; }

    // The backward pass calls it when the gradients from `first` to the end are final.
    using GradientsReady = std::function<void(std::size_t first)>;

    // Whether it mirrors images itself, which then costs nothing.
    virtual bool mirrors() const { return false; }
    // What decodes JPEG images for it, for the log's header: "nvJPEG 13.0.0, hardware". Empty: it takes
    // pixels.
    virtual std::string decoder() const { return {}; }
    // Once, after the host has had to decode images for it: a sentence for the log; else empty.
    virtual std::string takeDecodeNote() { return {}; }

    // Forward and backward pass: fills gradients() from the end to the beginning.
    virtual void computeGradients(const Batch& batch, const GradientsReady& ready) = 0;
    virtual void applyGradients(const SgdStep& step) = 0;

    // Whole steps on the device, reduced from device to device. Null: none for this setup. To be called once,
    // after the last setParameter(); the backend outlives it.
    virtual std::unique_ptr<Trainer> makeTrainer(const TrainerSetup& setup) = 0;

    // The mean shares of `steps` steps with this batch, which change no parameter, the longest first; not
    // beside a trainer. Empty where the backend does not know.
    virtual std::vector<WorkShare> breakdown(const Batch& /*batch*/, int /*steps*/) { return {}; }

    virtual std::string name() const = 0;
    // What is fused with convolutions and why, for the log's header: "never", or a policy and its reason
    // behind a comma; empty where it is no question.
    virtual std::string fusion() const { return {}; }
    // Versions of what computes, for the log's header: "oneDNN 2.6.3".
    virtual std::string libraries() const = 0;
};

struct StepOutcome {
    float loss = 0;  // mean over the global batch
    // Seconds that the device waited for its batch; nothing where the host, which waits itself, knows better.
    std::optional<double> data;
    double comm = 0;       // seconds that computing waited for gradients to be reduced
    bool skipped = false;  // a gradient was too large for its type
    float lossScale = 1;   // of the next step
};

// Trains one device together with the other ranks'. A GPU gets the next step before it has finished the last
// one, so that it never waits for the host.
class Trainer {
public:
    virtual ~Trainer() = default;

    // How many steps may be under way, at least 1.
    virtual int depth() const = 0;
    // Begins a step. The batch may be overwritten when this returns. Throws Failure.
    virtual void start(const Batch& batch) = 0;
    // Waits for the oldest step under way. Throws Failure(Communication) where a peer is lost or stalls.
    virtual StepOutcome finish() = 0;

    // How gradients are reduced, for the log's header: "none", "gloo", "nccl 2.28.9".
    virtual std::string comm() const = 0;
};

// Times what all ranks of a world exchange, where training has its gradients: in the hosts' memory, or in the
// GPUs'. All call the same functions in the same order.
class LinkTimer {
public:
    virtual ~LinkTimer() = default;

    // For the log's header: "gloo, by way of the hosts", "nccl 2.28.9, from GPU to GPU".
    virtual std::string name() const = 0;
    // The size of the message from here on, a multiple of a float's.
    virtual void setMessage(std::size_t bytes) = 0;
    // Seconds of one all-reduce of the message. Throws Failure(Communication) where a peer is lost or does
    // not answer in time.
    virtual double allReduce() = 0;
};

struct TrainerSetup {
    const World& world;
    const Options& options;
    Rendezvous& rendezvous;  // complete
    SgdStep step;            // with a gradient that is the mean over all ranks
};

}  // namespace dlperf::worker
