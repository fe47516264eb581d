// SPDX-License-Identifier: Apache-2.0
#include "core/import/log_text.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/import/read_file.h"

namespace dlperf::imports {

void LogTextReader::take(std::string_view bytes) {
    sum_.add(bytes);
    text_.bytes += bytes.size();
    text_.lineEnds += static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
}

void LogTextReader::add(std::string_view bytes) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (!std::exchange(begun_, true) && bytes.starts_with(mark)) {
        bytes.remove_prefix(mark.size());
    }
    if (bytes.empty()) {
        return;
    }
    if (std::exchange(heldReturn_, false) && bytes.front() != '\n') {
        take("\r");
    }
    for (std::size_t at = bytes.find('\r'); at != std::string_view::npos; at = bytes.find('\r')) {
        take(bytes.substr(0, at));
        bytes.remove_prefix(at + 1);
        heldReturn_ = bytes.empty();
        if (!bytes.empty() && bytes.front() != '\n') {
            take("\r");
        }
    }
    take(bytes);
}

LogText LogTextReader::text() {
    if (std::exchange(heldReturn_, false)) {
        take("\r");
    }
    text_.checksum = sum_.digits();
    return text_;
}

Result<LogText> textOf(const std::filesystem::path& log, const std::stop_token& stop) {
    LogTextReader reader;
    TRY(readPieces(log, std::numeric_limits<std::uint64_t>::max(), stop,
                   [&](std::string_view bytes) -> Result<void> {
                       reader.add(bytes);
                       return {};
                   }));
    return reader.text();
}

}  // namespace dlperf::imports
