// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_findings.h"

#include "core/base/text.h"

namespace dlperf::store {

Json findingsJson(const std::vector<RunFinding>& findings) {
    Json list = Json::array();
    for (const RunFinding& finding : findings) {
        list.push_back({{"kind", cleanUtf8(finding.kind)},
                        {"what", cleanUtf8(finding.what)},
                        {"where", cleanUtf8(finding.where)}});
    }
    return list;
}

std::vector<RunFinding> readFindings(const Json& list) {
    constexpr std::size_t mostFindings = 32;
    constexpr std::size_t longestFinding = 500;
    std::vector<RunFinding> findings;
    if (!list.is_array()) {
        return findings;
    }
    for (const Json& one : list) {
        const auto bounded = [&](const char* field) {
            return cleanUtf8(std::string_view(textOf(one, field)).substr(0, longestFinding));
        };
        if (RunFinding finding{bounded("kind"), bounded("what"), bounded("where")};
            !finding.what.empty() && findings.size() < mostFindings) {
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

}  // namespace dlperf::store
