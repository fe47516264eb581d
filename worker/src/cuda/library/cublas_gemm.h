// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>

#include <memory>
#include <string>

#include "cuda/dnn/element_type.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// The fully connected layer by cuBLAS.
class CublasGemm {
public:
    // The stream outlives this. Throws Failure(Backend, Memory).
    CublasGemm(const Stream& stream, dnn::ElementType type);

    // As Operators::run().
    void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) const;
    // "cuBLAS 13.1.0"
    std::string nameAndVersion() const;

private:
    struct Matrix;
    void multiply(const Matrix& a, const Matrix& b, const Matrix& c, int inner) const;

    struct Destroy {
        void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
    };
    dnn::ElementType type_;
    DeviceMemory workspace_;  // its own: cuBLAS could not take any while a graph is recorded
    std::unique_ptr<cublasContext, Destroy> handle_;
};

}  // namespace dlperf::worker::cuda
