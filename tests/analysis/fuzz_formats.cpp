// SPDX-License-Identifier: Apache-2.0
// libFuzzer on formats that users write: any text is refused with a message or reads a log without harm.
// Run by tests/fuzz/run.sh.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/analysis/analyze.h"
#include "core/analysis/format_json.h"
#include "core/analysis/log_analyzer.h"

namespace {

constexpr std::string_view log =
    "# batch_size: 4\nnum_nodes = 1\nEpoch: [0][ 7/53]\tTime  0.363 ( 4.462)\tData  0.114 ( 0.039)\n"
    "step=1 took 9 ms/batch 1597933942.98\n2020-09-01 11:21:11,002-INFO: batch 2] elapse 0.3612 sec\n"
    "step=3 took 9e99 ms/batch 12:00:01.5\nepoch: 1 step: 10, loss is 6.9\nepoch time: 1523.457 ms\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace dlperf::analysis;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto rows = formatsFromJson(text, "f.json");
    if (!rows) {
        if (rows.error().what.empty() || rows.error().where.empty()) {
            std::abort();
        }
        return 0;
    }
    for (const Format& row : *rows) {
        if (!checkRange(row, row.range)) {
            continue;
        }
        LogAnalyzer analyzer(row, {{1, 2}, 4}, row.range, dlperf::analysis::ignoreIteration);
        analyzer.feed(log);
        analyzer.finish();
        (void)analyzer.figure();
    }
    return 0;
}
