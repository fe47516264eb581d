// SPDX-License-Identifier: Apache-2.0
#include "bench/log/training_log.h"

#include <fmt/format.h>

#include <iterator>

namespace dlperf::bench {

void appendTrainingLine(std::string& text, std::uint64_t number, int node) {
    const auto out = std::back_inserter(text);
    if (number < 400) {
        fmt::format_to(out, "node{}:211:{} [{}] NCCL INFO Channel {:02}/0 : {}[{}] -> {}[{}] via P2P/IPC\n",
                       node, 342 + number % 8, number % 8, number / 8 % 32, number % 8, number % 8,
                       (number + 1) % 8, (number + 1) % 8);
    } else if (number % 50'000 == 49'999) {
        fmt::format_to(out, "libibverbs: Warning: no userspace device-specific driver found for uverbs{}\n",
                       number % 8);
    } else if (number % 5'000 == 4'999) {
        text +=
            "validating:  10%|#         | 5/50\rvalidating:  50%|#####     | 25/50\rvalidating: "
            "100%|##########| 50/50\n";
    } else {
        fmt::format_to(
            out,
            "Epoch: [{}][{:4}/5005]\tTime  0.{:03} ( 0.413)\tData  0.001 ( 0.031)\tLoss 6.{:04}e+00 "
            "(6.9518e+00)\tAcc@1   0.{:02} (  0.11)\tAcc@5   0.78 (  0.56){}\n",
            number / 5005, number % 5005, 380 + number * 7 % 60, number * 31 % 10'000, number % 100,
            number % 100'000 == 77'777 ? " loss spike" : "");
    }
}

}  // namespace dlperf::bench
