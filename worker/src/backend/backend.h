// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "data/batch.h"
#include "net/resnet50.h"

namespace dlperf::worker {

// What a backend builds its plan for.
struct Problem {
    int batchSize = 8;
    int imageSize = 224;
    int classes = 1000;
    Precision precision = Precision::Fp32;
    double labelSmoothing = 0;
    int threads = 1;
    int devicesOnNode = 1;  // processes that share this node's memory
    // Batch normalisation with running statistics, in the backward pass as well: for comparing gradients
    // only.
    bool frozenNorm = false;
    int device = 0;  // among the GPUs that this process sees, counted around where there are fewer
};

// One step of stochastic gradient descent: g = gradientScale * gradient + weightDecay * w; m = momentum * m
// + g; w = w - learningRate * m, as PyTorch does it. Weight decay is for all parameters.
struct SgdStep {
    float learningRate = 0;
    float momentum = 0;
    float weightDecay = 0;
    float gradientScale = 1;
};

// What one kind of work takes of a step.
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

    // All gradients in one piece, parameters in order; the last element is the loss, so that reducing the
    // whole span averages that too. Processes may reduce it together only where layoutId() is equal.
    virtual std::span<float> gradients() = 0;
    // Where it may be cut, ascending from 0: the beginnings of tensors.
    virtual std::span<const std::size_t> gradientOffsets() const = 0;
    virtual std::string layoutId() const = 0;
    // What tells the device from all others in the world, where it can reduce with others by itself.
    virtual std::string deviceId() const = 0;

    // Told, during the backward pass, that the gradients from `first` to the end are final.
    using GradientsReady = std::function<void(std::size_t first)>;

    // Whether it mirrors images itself, where that costs nothing, rather than have the threads do it that
    // decode them.
    virtual bool mirrors() const = 0;

    // Forward and backward pass: fills gradients() from the end to the beginning.
    virtual void computeGradients(const Batch& batch, const GradientsReady& ready) = 0;
    virtual void applyGradients(const SgdStep& step) = 0;

    // Whole steps that stay on the device and are reduced from device to device. Null: the backend has none
    // for this setup, and the steps are made of the functions above. Once, after the last setParameter();
    // the backend outlives it.
    virtual std::unique_ptr<Trainer> makeTrainer(const TrainerSetup& setup) = 0;

    // What a step's time goes to, the longest first: the mean of `steps` steps with this batch, which teach
    // nothing; not beside a trainer. Empty where the backend does not know.
    virtual std::vector<WorkShare> breakdown(const Batch& batch, int steps) = 0;

    // "cpu"
    virtual std::string name() const = 0;
    // Versions of what computes, for the log's header: "oneDNN 2.6.3".
    virtual std::string libraries() const = 0;
};

}  // namespace dlperf::worker
