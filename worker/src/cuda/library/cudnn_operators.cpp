// SPDX-License-Identifier: Apache-2.0
#include "cuda/library/cudnn_operators.h"

#include <cudnn_graph.h>

#include <iterator>
#include <limits>

#include "base/failure.h"
#include "base/numbers.h"
#include "cuda/dnn/convolution_graphs.h"

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

// Of 91900: "9.19.0".
std::string dotted(std::size_t version) {
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
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
    : type_(type), finder_(stream, search), linear_(stream, type), policy_(policy), stopwatch_(stream) {}

void CudnnOperators::prepare(std::span<const Wanted> wanted) {
    for (const Wanted& one : wanted) {
        if (plans_.contains(one)) {
            continue;
        }
        const dnn::Graph graph = dnn::convolutionGraph(finder_.target(), one, type_);
        std::optional<dnn::ExecutionPlan> plan =
            isFused(one.pass) ? finder_.findIfAny(graph) : finder_.find(graph);
        if (plan) {
            plans_.emplace(one, std::move(*plan));
        }
    }
    finder_.allocateWorkspace();
}

void CudnnOperators::run(const Wanted& one, const LayerTensors& tensors) {
    const auto plan = plans_.find(one);
    if (plan == plans_.end()) {
        throw Failure(ExitCode::Internal, "a convolution was not prepared: " + one.shape.text());
    }
    finder_.execute(plan->second, dnn::bindingsOf(plan->second.graph(), one.shape, tensors));
}

void CudnnOperators::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    linear_.run(pass, shape, tensors);
}

double CudnnOperators::seconds(const std::function<void()>& start, std::size_t sets) {
    return stopwatch_.seconds(start, std::numeric_limits<double>::infinity(), sets);
}

// The cache keeps engines by their graph's key. A choice of ours is one without knobs, by a key of its own.

std::optional<int> CudnnOperators::remembered(const std::string& key) const {
    const std::optional<dnn::EngineChoice> found = finder_.cache().find(key);
    return found ? std::optional(static_cast<int>(found->engine)) : std::nullopt;
}

void CudnnOperators::remember(const std::string& key, int choice) {
    finder_.remember(key, {choice, {}});
}

std::string CudnnOperators::libraries() const {
    return "cuDNN " + dotted(cudnnGetVersion()) + ", " + linear_.nameAndVersion();
}

}  // namespace dlperf::worker::cuda
