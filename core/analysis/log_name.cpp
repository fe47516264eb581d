// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_name.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

// Python's str.strip(characters).
std::string_view strip(std::string_view text, std::string_view characters) {
    const std::size_t first = text.find_first_not_of(characters);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

Failure badName(std::string_view fileName, const std::string& what) {
    return fail(what, cleanUtf8(fileName), "Name logs like r50_b128_fp32_1.log.");
}

}  // namespace

Result<LogName> parseLogName(std::string_view fileName) {
    constexpr std::size_t fieldCount = 4;
    const auto fields = split(fileName, '_');
    if (fields.size() < fieldCount) {
        return badName(fileName, fmt::format("the name has {} of the {} fields", fields.size(), fieldCount));
    }
    const auto batch = toInt(strip(fields[1], "b"));
    if (!batch || *batch < 1) {
        return badName(fileName, "the name's second field is no batch size");
    }
    const auto repetition = toInt(strip(fields[3], ".log"));
    if (!repetition) {
        return badName(fileName, "the name's fourth field is no repetition number");
    }
    return LogName{cleanUtf8(fields[0]), *batch, cleanUtf8(fields[2]), *repetition};
}

bool hasExtraFields(std::string_view fileName) {
    return split(fileName, '_').size() > 4;
}

}  // namespace dlperf::analysis
