// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/cudnn_operators.h"

#include <cudnn_graph.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "cuda/dnn/convolution_graphs.h"
#include "cuda/dnn/plan_search.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// Times plans on tensors of noise. It makes them when there is something to time: with a full cache there
// never is.
class EventTimer {
public:
    EventTimer(const Target& target, const Stream& stream, const Graph& graph, std::size_t workspaceBytes,
               PlanCache& cache)
        : target_(target),
          stream_(stream),
          graph_(graph),
          workspaceBytes_(workspaceBytes),
          cache_(cache),
          stopwatch_(stream) {}

    // As a PlanTimer.
    std::optional<double> operator()(const ExecutionPlan& plan, double hopeless) {
        if (sets_.empty()) {
            makeTensors();
        }
        if (plan.workspaceBytes() > workspaceBytes_ || !cache_.beginTrial(graph_.key(), plan.choice())) {
            return std::nullopt;
        }
        std::optional<double> seconds;
        try {
            const auto start = [&] { plan.execute(target_, sets_[turn_++ % sets_.size()]); };
            seconds = stopwatch_.seconds(start, hopeless, sets_.size());
        } catch (const Failure& failure) {
            // A plan that cannot be started is passed over.
            cudaGetLastError();
            requireDevice(failure);
        }
        cache_.endTrial();
        return seconds;
    }

private:
    // Once a plan has written where it must not, the device does nothing more for this process. The trial
    // does not end then, so that the next process passes over the plan.
    void requireDevice(const Failure& cause) const {
        if (cudaStreamSynchronize(stream_) != cudaSuccess) {
            throw Failure(ExitCode::Internal, std::string("a plan of cuDNN's ended the work of the GPU (") +
                                                  cause.what() + "); it is left out at the next start");
        }
    }

    void makeTensors() {
        const std::vector<GraphTensor>& tensors = graph_.tensors();
        std::size_t bytes = 0;
        for (const GraphTensor& tensor : tensors) {
            bytes += tensor.bytes();
        }
        std::vector<std::byte*> places(setsBeyondCache(bytes) * tensors.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            tensors_.reserve(places[i], tensors[i % tensors.size()].bytes());
        }
        tensors_.allocate();
        workspace_ = DeviceMemory(workspaceBytes_);
        std::vector<Binding> bindings;
        for (std::size_t i = 0; i < places.size(); ++i) {
            bindings.push_back({tensors[i % tensors.size()].uid, places[i]});
            if (bindings.size() == tensors.size()) {
                sets_.push_back(argumentsOf(bindings, workspace_.at<void>(0)));
                bindings.clear();
            }
        }
        fillWithNoise(tensors_.data(), tensors_.bytes(), stream_);
    }

    const Target& target_;
    const Stream& stream_;
    const Graph& graph_;
    std::size_t workspaceBytes_;
    PlanCache& cache_;
    Stopwatch stopwatch_;
    DeviceArena tensors_;
    DeviceMemory workspace_;
    std::vector<Descriptor> sets_;  // of tensors, used in turn
    std::size_t turn_ = 0;
};

SearchLimits limitsHere(PlanSearch search) {
    std::size_t free = 0;
    std::size_t total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "ask for its free memory");
    SearchLimits limits;
    if (search == PlanSearch::First) {
        limits.timings = 0;
    }
    limits.workspaceBytes = std::min(limits.workspaceBytes, total / 8);
    return limits;
}

}  // namespace

PlanSearch planSearchFrom(const std::optional<std::string>& text) {
    if (!text) {
        return PlanSearch::Fastest;
    }
    if (*text != "0") {
        throw Failure(ExitCode::Usage,
                      "DLPERF_WORKER_PLANS must be 0, which times none of cuDNN's plans, or unset, not '" +
                          *text + "'");
    }
    return PlanSearch::First;
}

}  // namespace dlperf::worker::cuda::dnn

namespace dlperf::worker::cuda {
namespace {

// What NVIDIA recommends for its largest GPUs.
constexpr std::size_t workspaceBytes = std::size_t{32} << 20;

void checkBlas(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) {
        return;
    }
    throw Failure(ExitCode::Backend,
                  std::string("cuBLAS cannot ") + what + ": " + cublasGetStatusString(status));
}

cudaDataType_t blasTypeOf(Precision type) {
    if (type == Precision::Fp16) {
        return CUDA_R_16F;
    }
    return type == Precision::Bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

cublasComputeType_t computeTypeOf(Precision type) {
    return type == Precision::Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

}  // namespace

// As cuBLAS sees it, column by column: our rows are its columns.
struct CublasGemm::Matrix {
    void* data;
    int rows;
    int columns;
    cublasOperation_t operation = CUBLAS_OP_N;
    cudaDataType_t type = CUDA_R_32F;
};

CublasGemm::CublasGemm(const Stream& stream, Precision type) : type_(type), workspace_(workspaceBytes) {
    cublasHandle_t handle = nullptr;
    checkBlas(cublasCreate(&handle), "start on this GPU");
    handle_.reset(handle);
    checkBlas(cublasSetStream(handle, stream), "use the stream");
    checkBlas(cublasSetWorkspace(handle, workspace_.at<void>(0), workspace_.bytes()), "use its workspace");
    // Sums stay fp32, as the convolutions' do.
    checkBlas(cublasSetMathMode(handle, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION), "set its mode");
}

// c = a * b, where a's columns and b's rows, each after its operation, are `inner`.
void CublasGemm::multiply(const Matrix& a, const Matrix& b, const Matrix& c, int inner) const {
    const float one = 1;
    const float zero = 0;
    checkBlas(cublasGemmEx(handle_.get(), a.operation, b.operation, c.rows, c.columns, inner, &one, a.data,
                           a.type, a.rows, b.data, b.type, b.rows, &zero, c.data, c.type, c.rows,
                           computeTypeOf(type_), CUBLAS_GEMM_DEFAULT),
              "multiply the last layer");
}

void CublasGemm::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) const {
    const cudaDataType_t type = blasTypeOf(type_);
    Matrix x{tensors.input, shape.inputs, shape.batch, CUBLAS_OP_N, type};
    Matrix w{tensors.filter, shape.inputs, shape.outputs, CUBLAS_OP_N, type};
    Matrix y{tensors.output, shape.outputs, shape.batch, CUBLAS_OP_N, type};
    switch (pass) {
        case Pass::Forward:
            w.operation = CUBLAS_OP_T;
            y.type = CUDA_R_32F;
            multiply(w, x, y, shape.inputs);
            break;
        case Pass::DataGradient:
            multiply(w, y, x, shape.outputs);
            break;
        case Pass::WeightGradient:
            y.operation = CUBLAS_OP_T;
            multiply(x, y, w, shape.batch);
            break;
        default:
            throw Failure(ExitCode::Internal, "the last layer has no fused passes");
    }
}

std::string CublasGemm::nameAndVersion() const {
    int version = 0;
    checkBlas(cublasGetVersion(handle_.get(), &version), "tell its version");
    return "cuBLAS " + dotted(asIndex(version));
}

CudnnOperators::CudnnOperators(const Stream& stream, Precision type, FusionPolicy policy,
                               dnn::PlanSearch search)
    : stream_(stream),
      type_(type),
      policy_(policy),
      search_(search),
      target_(stream),
      cache_(dnn::PlanCache::defaultFolder(), dnn::thisMachine()),
      linear_(stream, type),
      stopwatch_(stream) {}

dnn::ExecutionPlan CudnnOperators::find(const dnn::Graph& graph) {
    const dnn::SearchLimits limits = dnn::limitsHere(search_);
    dnn::EventTimer timer(target_, stream_, graph, limits.workspaceBytes, cache_);
    dnn::ExecutionPlan plan = dnn::findPlan(target_, graph, limits, std::ref(timer), cache_);
    cache_.save();
    return plan;
}

std::optional<dnn::ExecutionPlan> CudnnOperators::findIfAny(const dnn::Graph& graph) {
    if (!cache_.find(graph.key())) {
        const std::string none = "none for " + graph.key();
        if (cache_.find(none)) {
            return std::nullopt;
        }
        if (dnn::candidatesFor(target_, graph).empty()) {
            cache_.remember(none, {});
            cache_.save();
            return std::nullopt;
        }
    }
    try {
        return find(graph);
    } catch (const Failure& failure) {
        // There are some, but none works here and now.
        if (failure.code() != ExitCode::Backend) {
            throw;
        }
        return std::nullopt;
    }
}

void CudnnOperators::prepare(std::span<const Wanted> wanted) {
    std::size_t most = workspace_.bytes();  // that a plan needs
    for (const Wanted& one : wanted) {
        if (plans_.contains(one)) {
            continue;
        }
        const dnn::Graph graph = dnn::convolutionGraph(target_, one, type_);
        std::optional<dnn::ExecutionPlan> plan = isFused(one.pass) ? findIfAny(graph) : find(graph);
        if (plan) {
            most = std::max(most, plan->workspaceBytes());
            plans_.emplace(one, std::move(*plan));
        }
    }
    if (most > workspace_.bytes()) {
        workspace_ = DeviceMemory();  // first, as both may not fit
        workspace_ = DeviceMemory(most);
    }
}

void CudnnOperators::run(const Wanted& one, const LayerTensors& tensors) {
    const auto plan = plans_.find(one);
    if (plan == plans_.end()) {
        throw Failure(ExitCode::Internal, "a convolution was not prepared: " + one.shape.text());
    }
    const std::vector<dnn::Binding> bindings = dnn::bindingsOf(plan->second.graph(), one.shape, tensors);
    plan->second.execute(target_, dnn::argumentsOf(bindings, workspace_.at<void>(0)));
}

void CudnnOperators::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    linear_.run(pass, shape, tensors);
}

double CudnnOperators::seconds(const std::function<void()>& start, std::size_t sets) {
    return stopwatch_.seconds(start, std::numeric_limits<double>::infinity(), sets);
}

// The cache keeps engines by their graph's key. A choice of ours is one without knobs, by a key of its own.

std::optional<int> CudnnOperators::remembered(const std::string& key) const {
    const std::optional<dnn::EngineChoice> found = cache_.find(key);
    return found ? std::optional(static_cast<int>(found->engine)) : std::nullopt;
}

void CudnnOperators::remember(const std::string& key, int choice) {
    // Plans that are not timed are not kept, nor what follows from their times. Saved at once: whoever waits
    // may lose patience.
    if (search_ == dnn::PlanSearch::Fastest) {
        cache_.remember(key, {choice, {}});
        cache_.save();
    }
}

std::string CudnnOperators::libraries() const {
    return "cuDNN " + dotted(cudnnGetVersion()) + ", " + linear_.nameAndVersion();
}

}  // namespace dlperf::worker::cuda
