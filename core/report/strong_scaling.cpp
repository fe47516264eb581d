// SPDX-License-Identifier: Apache-2.0
#include "core/report/strong_scaling.h"

#include <cstdint>
#include <string>

namespace dlperf::report {

std::vector<RunResult> byGlobalBatchSize(std::vector<RunResult> results) {
    std::erase_if(results,
                  [](const RunResult& result) { return result.benchmarkCase.configuration.batchSize <= 0; });
    for (RunResult& result : results) {
        Configuration& configuration = result.benchmarkCase.configuration;
        const std::int64_t size =
            std::int64_t{configuration.batchSize} * result.benchmarkCase.topology.worldSize();
        configuration.variant[globalBatchSizeSetting] = std::to_string(size);
        configuration.batchSize = 0;
    }
    return results;
}

}  // namespace dlperf::report
