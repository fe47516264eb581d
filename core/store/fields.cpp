// SPDX-License-Identifier: Apache-2.0
#include "core/store/fields.h"

#include <fmt/format.h>

#include <limits>

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

void ReadFields::operator()(const char* name, int& value) {
    value = reader_.integer(name, value, 0, std::numeric_limits<int>::max());
}

void ReadFields::operator()(const char* name, std::optional<double>& value) {
    if (const auto number = reader_.number(name)) {
        value = number;
    }
}

void ReadFields::operator()(const char* name, std::optional<TimePoint>& value) {
    const std::string text = reader_.text(name);
    value = parseIso8601(text);
    if (!text.empty() && !value) {
        reader_.addError(fmt::format("\"{}\" is no time such as 2026-11-21T09:15:02.123Z", name));
    }
}

void ReadFields::operator()(const char* name, std::map<std::string, std::string>& value) {
    const Json& json = reader_.member(name);
    if (!json.is_null() && !json.is_object()) {
        reader_.addError(fmt::format("\"{}\" must be an object", name));
        return;
    }
    for (const auto& [key, text] : json.items()) {
        if (!text.is_string()) {
            reader_.addError(fmt::format("\"{}\" must hold texts", name));
            return;
        }
        value[key] = text.get<std::string>();
    }
}

void ReadFields::operator()(const char* name, std::vector<RunFinding>& findings) {
    constexpr std::size_t mostFindings = 32;
    constexpr std::size_t longestFinding = 500;
    const Json& list = reader_.member(name);
    if (!list.is_array()) {
        return;
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
}

}  // namespace dlperf::store
