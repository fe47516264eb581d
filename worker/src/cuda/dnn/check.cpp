// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/check.h"

#include <array>

#include "base/failure.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// cuDNN's explanations have a line for each of its functions that the error went through.
std::string inOneLine(const std::string& text) {
    std::string line;
    for (const char letter : text) {
        const bool space = letter == '\n' || letter == '\r' || letter == '\t' || letter == ' ';
        if (!space) {
            line += letter;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    while (!line.empty() && line.back() == ' ') {
        line.pop_back();
    }
    return line;
}

}  // namespace

std::string reasonOf(cudnnStatus_t status) {
    std::array<char, 2048> buffer{};
    cudnnGetLastErrorString(buffer.data(), buffer.size());
    buffer.back() = '\0';
    const std::string explanation = inOneLine(buffer.data());
    const std::string name = cudnnGetErrorString(status);
    return explanation.empty() ? name : name + ": " + explanation;
}

void check(cudnnStatus_t status, const char* what) {
    if (status == CUDNN_STATUS_SUCCESS) {
        return;
    }
    throw Failure(ExitCode::Backend, std::string("cuDNN cannot ") + what + ": " + reasonOf(status));
}

}  // namespace dlperf::worker::cuda::dnn
