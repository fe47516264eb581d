// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "base/failure.h"
#include "cuda/decode/jpeg_decoder.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/net/training_state.h"
#include "cuda/runtime/memory.h"
#include "cuda/train/device_trainer.h"

namespace dlperf::worker::cuda {
namespace {

// All gradients in this machine's memory, in fp32 and in the order of the store's layout, with the loss
// behind them. Each function waits until it is done.
template <typename T>
class HostGradients {
public:
    explicit HostGradients(TrainingState<T>& state)
        : state_(state),
          count_(state.store.layout().total()),
          device_((count_ + 1) * sizeof(float)),
          host_((count_ + 1) * sizeof(float)) {}

    std::span<float> values() const { return {host_.at<float>(0), count_ + 1}; }

    // The store's, divided by the loss scale. False where one of them is not finite.
    bool download() {
        const ParameterStore<T>& store = state_.store;
        const std::size_t weights = store.layout().weights();
        float* const device = device_.at<float>(0);
        if constexpr (std::is_same_v<T, float>) {
            copy(device, store.weightGradients(), weights, cudaMemcpyDeviceToDevice);
        } else {
            convert(state_.stream, weights, store.weightGradients(), device);
        }
        copy(device + weights, store.vectorGradients(), store.layout().vectors() + 1,
             cudaMemcpyDeviceToDevice);
        copy(host_.at<float>(0), device, count_ + 1, cudaMemcpyDeviceToHost);
        float scale = 1;
        if (const float* const lossScale = state_.optimizer.lossScale()) {
            copy(&scale, lossScale, 1, cudaMemcpyDeviceToHost);
        }
        state_.stream.wait();

        bool finite = true;
        for (float& value : values().first(count_)) {
            value /= scale;
            finite = finite && std::isfinite(value);
        }
        return finite;
    }

    // One step with these.
    void apply() {
        copy(device_.at<float>(0), host_.at<float>(0), count_, cudaMemcpyHostToDevice);
        state_.optimizer.stepWith(device_.at<float>(0));
        state_.stream.wait();
    }

private:
    void copy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) const {
        check(cudaMemcpyAsync(to, from, count * sizeof(float), kind, state_.stream), "copy gradients");
    }

    TrainingState<T>& state_;
    std::size_t count_;
    DeviceMemory device_;
    PinnedMemory host_;
};

// In the order of Work.
constexpr std::array workNames = {"pixels to numbers",
                                  "convolutions, forward",
                                  "convolutions, gradient of the input",
                                  "convolutions, gradient of the weights",
                                  "statistics of channels",
                                  "normalisation, shortcut, rectifier",
                                  "normalisation backward, sums",
                                  "normalisation backward, gradient",
                                  "pooling",
                                  "last layer",
                                  "loss",
                                  "optimizer"};

// Times the work of a stream by its kinds: from the beginning of one piece to that of the next.
class StepProfile {
public:
    // The stream outlives this.
    explicit StepProfile(const Stream& stream) : stream_(stream) {}

    // As a WorkObserver.
    void operator()(Work work, double bytes, double operations) {
        if (used_ == pieces_.size()) {
            pieces_.emplace_back();
        }
        Piece& piece = pieces_[used_++];
        piece.begun.record(stream_);
        piece.work = work;
        piece.bytes = bytes;
        piece.operations = operations;
    }

    // The last piece ends here. Waits for the device.
    void end() {
        end_.record(stream_);
        end_.wait();
        for (std::size_t i = 0; i < used_; ++i) {
            const Piece& piece = pieces_[i];
            WorkShare& sum = sums_[piece.work];
            sum.seconds += secondsBetween(piece.begun, i + 1 < used_ ? pieces_[i + 1].begun : end_);
            sum.bytes += piece.bytes;
            sum.operations += piece.operations;
        }
        used_ = 0;
        ++steps_;
    }

    // Means of all steps, the longest first.
    std::vector<WorkShare> shares() const {
        std::vector<WorkShare> shares;
        for (const auto& [work, sum] : sums_) {
            shares.push_back({workNames[static_cast<std::size_t>(work)], sum.seconds / steps_,
                              sum.bytes / steps_, sum.operations / steps_});
        }
        std::sort(shares.begin(), shares.end(),
                  [](const WorkShare& a, const WorkShare& b) { return a.seconds > b.seconds; });
        return shares;
    }

private:
    struct Piece {
        Event begun;
        Work work = Work::Pixels;
        double bytes = 0;
        double operations = 0;
    };

    const Stream& stream_;
    std::vector<Piece> pieces_;  // of this step; those behind `used_` are for later ones
    std::size_t used_ = 0;
    Event end_;
    int steps_ = 0;
    std::map<Work, WorkShare> sums_;
};

struct DeviceFacts {
    std::string name;
    std::string id;  // that no other GPU has
};

DeviceFacts currentDevice() {
    int device = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&device), "tell the GPU in use");
    check(cudaGetDeviceProperties(&properties, device), "tell the GPU's name");
    DeviceFacts facts{properties.name, ""};
    for (const char byte : properties.uuid.bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        facts.id += digits;
    }
    return facts;
}

// Null where the host is to decode.
std::unique_ptr<JpegDecoder> makeDecoder(const Problem& problem) {
    if (problem.decode == DecodePlace::Host) {
        return nullptr;
    }
    try {
        return std::make_unique<JpegDecoder>(problem.imageSize);
    } catch (const Failure& failure) {
        if (problem.decode == DecodePlace::Gpu || failure.code() != ExitCode::Backend) {
            throw;
        }
        return nullptr;
    }
}

template <typename T>
class CudaBackend final : public Backend {
public:
    CudaBackend(const Problem& problem, const BackendFactories& factories)
        : problem_(problem),
          connect_(factories.connect),
          net_(makeResNet50(problem.imageSize, problem.classes)),
          parameters_(parametersOf(net_)),
          operators_(factories.makeOperators(stream_, problem.precision)),
          state_(net_, parameters_, problem, *operators_, stream_),
          decoder_(makeDecoder(problem)) {}

    const std::vector<Parameter>& parameters() const override { return parameters_; }

    void setParameter(std::size_t index, std::span<const float> values) override {
        const std::vector<float> stored = layout().toDevice(index, values);
        copy(state_.store.master() + layout().offset(index), stored.data(), stored.size(),
             cudaMemcpyHostToDevice);
        copiesAreStale_ = true;
    }

    std::vector<float> parameter(std::size_t index) const override {
        std::vector<float> stored(layout().stored(index));
        copy(stored.data(), state_.store.master() + layout().offset(index), stored.size(),
             cudaMemcpyDeviceToHost);
        return layout().fromDevice(index, stored);
    }
    std::vector<float> gradient(std::size_t index) const override {
        if (!hostGradients_) {
            return std::vector<float>(parameters_[index].count(), 0.0F);
        }
        return layout().fromDevice(index, hostGradients_->values().subspan(layout().offset(index)));
    }

    std::span<float> gradients() override { return hostGradients().values(); }
    // They come to the host in one piece, so there is nothing to cut.
    std::span<const std::size_t> gradientOffsets() const override { return onePiece; }
    // All must have NCCL, or none.
    std::string layoutId() const override { return connect_ ? "cuda: with NCCL" : "cuda: without NCCL"; }
    std::string deviceId() const override { return device_.id; }
    bool mirrors() const override { return true; }
    std::string decoder() const override { return decoder_ ? decoder_->name() : ""; }
    std::string takeDecodeNote() override { return decoder_ ? decoder_->takeNote() : ""; }

    void computeGradients(const Batch& batch, const GradientsReady& ready) override {
        const BatchSlot& slot = uploaded(batch);
        refreshCopies();
        for (;;) {
            state_.network.forward(slot.batch(), state_.optimizer.lossScale());
            state_.network.backward([](std::size_t) {});
            if (hostGradients().download() || !lowerLossScale()) {
                break;
            }
        }
        ready(0);
    }

    void applyGradients(const SgdStep& step) override {
        state_.optimizer.set(step);
        hostGradients().apply();
    }

    std::unique_ptr<Trainer> makeTrainer(const TrainerSetup& setup) override {
        refreshCopies();
        std::unique_ptr<DeviceComm> comm;
        if (setup.world.size > 1) {
            if (!connectsDevices(setup)) {
                return nullptr;
            }
            comm = connect_(setup);
        }
        return makeDeviceTrainer(state_, problem_, setup, std::move(comm), decoder_.get());
    }

    std::vector<WorkShare> breakdown(const Batch& batch, int steps) override {
        const BatchSlot& slot = uploaded(batch);
        refreshCopies();
        state_.optimizer.set(SgdStep{0, 0, 0, 0});
        takeStep(slot);  // loads what is loaded at its first use
        StepProfile profile(stream_);
        state_.network.observeWith(std::ref(profile));
        state_.optimizer.observeWith(std::ref(profile));
        for (int i = 0; i < steps; ++i) {
            takeStep(slot);
            profile.end();
        }
        state_.network.observeWith(nullptr);
        state_.optimizer.observeWith(nullptr);
        return profile.shares();
    }

    std::string name() const override { return "cuda"; }
    std::string fusion() const override { return state_.network.fusion(); }
    std::string libraries() const override { return device_.name + ", " + operators_->libraries(); }

private:
    static constexpr std::size_t onePiece[] = {0};

    const BatchSlot& uploaded(const Batch& batch) {
        if (!slot_) {
            slot_.emplace(problem_, decoder_.get());
        }
        slot_->upload(batch, stream_, stream_);
        return *slot_;
    }

    void takeStep(const BatchSlot& slot) {
        state_.network.forward(slot.batch(), state_.optimizer.lossScale());
        state_.network.backward([](std::size_t) {});
        state_.optimizer.step();
    }

    // NCCL refuses two processes on one GPU; these reduce on the host.
    bool connectsDevices(const TrainerSetup& setup) const {
        const bool asked = setup.options.comm == CommKind::Nccl;
        if (!connect_) {
            if (asked) {
                throw Failure(ExitCode::Backend,
                              "this build cannot reduce from GPU to GPU: it was configured "
                              "without NCCL; use --comm gloo");
            }
            return false;
        }
        return asked || (setup.options.comm == CommKind::Auto && !setup.rendezvous.shareDevices());
    }

    // False where it cannot fall any further.
    bool lowerLossScale() {
        if (state_.optimizer.lossScale() == nullptr) {
            return false;
        }
        const LossScaleState state = state_.optimizer.readState();
        if (state.scale <= lowestLossScale) {
            return false;
        }
        state_.optimizer.set(lossScaleAfter(state, true));
        return true;
    }

    void refreshCopies() {
        if (copiesAreStale_) {
            state_.store.refreshCopies(stream_);
        }
        copiesAreStale_ = false;
    }
    const ParameterLayout& layout() const { return state_.store.layout(); }
    void copy(float* to, const float* from, std::size_t count, cudaMemcpyKind kind) const {
        check(cudaMemcpyAsync(to, from, count * sizeof(float), kind, stream_), "copy parameters");
        stream_.wait();
    }
    // Only where somebody wants them: they take memory.
    HostGradients<T>& hostGradients() {
        if (!hostGradients_) {
            hostGradients_.emplace(state_);
        }
        return *hostGradients_;
    }

    Problem problem_;
    DeviceFacts device_ = currentDevice();
    decltype(BackendFactories::connect) connect_;
    ResNet50 net_;
    std::vector<Parameter> parameters_;
    Stream stream_;
    std::unique_ptr<Operators> operators_;
    TrainingState<T> state_;
    std::optional<HostGradients<T>> hostGradients_;
    std::unique_ptr<JpegDecoder> decoder_;
    std::optional<BatchSlot> slot_;  // of steps that are not a trainer's
    bool copiesAreStale_ = true;
};

}  // namespace

int deviceCount() {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess) {
        return count;
    }
    int driver = 0;
    const bool none =
        result == cudaErrorNoDevice || cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0;
    return none ? 0 : 1;
}

std::string useDevice(int wanted) {
    // Where there is no driver at all, CUDA says that it is too old.
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) {
        throw Failure(ExitCode::Backend,
                      "--backend cuda needs an NVIDIA GPU and its driver, and there is no driver here; use "
                      "--backend cpu");
    }
    int count = 0;
    check(cudaGetDeviceCount(&count), "find a GPU");
    if (count == 0) {
        throw Failure(ExitCode::Backend, "CUDA finds no GPU on this machine; use --backend cpu");
    }
    check(cudaSetDevice(wanted % count), "use the GPU");
    return currentDevice().id;
}

std::unique_ptr<Backend> makeCudaBackend(const Problem& problem, const BackendFactories& factories) {
    (void)useDevice(problem.device);
    if (problem.precision == Precision::Fp16) {
        return std::make_unique<CudaBackend<__half>>(problem, factories);
    }
    if (problem.precision == Precision::Bf16) {
        return std::make_unique<CudaBackend<__nv_bfloat16>>(problem, factories);
    }
    return std::make_unique<CudaBackend<float>>(problem, factories);
}

}  // namespace dlperf::worker::cuda
