// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/analyze.h"
#include "core/analysis/format_row.h"
#include "core/analysis/log_folder.h"
#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

// A log is of a format when some of its lines count there and give what the window rule needs.
bool holdsLinesOf(const Format& format, const std::string& head) {
    LogAnalyzer analyzer(format, {{1, 1}, 1}, format.window);
    analyzer.feed(head);
    const auto iterations = analyzer.takeIterations();
    return std::any_of(iterations.begin(), iterations.end(),
                       [](const Iteration& iteration) { return iteration.seconds.has_value(); });
}

std::vector<const Format*> candidates(const std::string& head) {
    std::vector<const Format*> found;
    for (const Format& format : formats()) {
        if (holdsLinesOf(format, head)) found.push_back(&format);
    }
    return found;
}

std::string namesOf(const std::vector<const Format*>& found) {
    std::vector<std::string> names;
    names.reserve(found.size());
    for (const Format* format : found) {
        names.push_back(format->name);
    }
    return join(names, ", ");
}

}  // namespace

Result<const Format*> detectFormat(const std::filesystem::path& folder) {
    constexpr std::size_t mostLogs = 8;
    constexpr std::uintmax_t headBytes = 4U << 20U;
    const auto listing = listLogs(folder);
    if (!listing) return Failure(listing.error());
    std::vector<const Format*> all;
    for (std::size_t i = 0; i < std::min(mostLogs, listing->files.size()); ++i) {
        const LogFile& file = listing->files[i];
        std::string head;
        (void)readInPieces(folder / file.folder / file.name, headBytes,
                           [&](std::string_view bytes) { head += bytes; });
        for (const Format* format : candidates(head)) {
            if (std::find(all.begin(), all.end(), format) == all.end()) all.push_back(format);
        }
    }
    if (all.size() == 1) return all.front();
    if (all.empty()) {
        return fail("no known format matches the logs", folder.string(),
                    "Pass --format; `dlperf formats` lists them.");
    }
    return fail(fmt::format("the logs match more than one format: {}", namesOf(all)), folder.string(),
                fmt::format("Pass --format with one of them, like --format {}.", all.front()->name));
}

}  // namespace dlperf::analysis
