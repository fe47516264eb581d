// SPDX-License-Identifier: Apache-2.0
#include "cuda/library/cublas_gemm.h"

#include "base/failure.h"

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

cudaDataType_t blasTypeOf(dnn::ElementType type) {
    if (type == dnn::ElementType::Fp16) {
        return CUDA_R_16F;
    }
    return type == dnn::ElementType::Bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

cublasComputeType_t computeTypeOf(dnn::ElementType type) {
    return type == dnn::ElementType::Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
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

CublasGemm::CublasGemm(const Stream& stream, dnn::ElementType type)
    : type_(type), workspace_(workspaceBytes) {
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
    }
}

std::string CublasGemm::nameAndVersion() const {
    int version = 0;
    checkBlas(cublasGetVersion(handle_.get(), &version), "tell its version");
    return "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

}  // namespace dlperf::worker::cuda
