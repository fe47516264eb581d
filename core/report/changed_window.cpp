// SPDX-License-Identifier: Apache-2.0
#include "core/report/changed_window.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/base/text.h"

namespace dlperf::report {

std::string changedWindow(const std::vector<const RunResult*>& runs) {
    std::map<std::pair<Window, Window>, int> changes;
    for (const RunResult* run : runs) {
        if (run->originalWindow) {
            ++changes[{*run->originalWindow, run->window}];
        }
    }
    std::vector<std::string> texts;
    texts.reserve(changes.size());
    for (const auto& [windows, count] : changes) {
        texts.push_back(fmt::format("{} -> {}, changed afterwards ({} run{})", toString(windows.first),
                                    toString(windows.second), count, count == 1 ? "" : "s"));
    }
    return join(texts, "; ");
}

}  // namespace dlperf::report
