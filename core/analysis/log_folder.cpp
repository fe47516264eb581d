// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>
#include <tuple>

#include "core/analysis/log_name.h"

namespace dlperf::analysis {
namespace {

namespace fs = std::filesystem;

// Entries of a folder whose names do not start with a dot. What cannot be looked at is left out.
std::vector<fs::directory_entry> visibleEntries(const fs::path& folder, std::error_code& error) {
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        if (!at->path().filename().native().starts_with('.')) entries.push_back(*at);
    }
    return entries;
}

auto foldOrder(const LogFile& file) {
    const auto name = parseLogName(file.name);
    const long repetition = name ? name->repetition : std::numeric_limits<long>::max();
    return std::make_tuple(!hasExtraFields(file.name), repetition, file.path());
}

}  // namespace

Result<LogListing> listLogs(const fs::path& folder) {
    std::error_code error;
    const auto topFolders = visibleEntries(folder, error);
    if (error) {
        return fail("the folder cannot be read: " + error.message(), folder.string(),
                    "Name a folder that holds folders like 1n1g.");
    }
    LogListing listing;
    for (const auto& top : topFolders) {
        std::error_code notAFolder;
        if (!top.is_directory(notAFolder)) continue;
        const std::string name = top.path().filename().string();
        for (const auto& entry : visibleEntries(top.path(), error)) {
            std::error_code notAFile;
            if (entry.path().extension() == ".log" && entry.is_regular_file(notAFile)) {
                listing.files.push_back({name, entry.path().filename().string()});
            }
        }
        if (error) listing.problems.push_back(fail("cannot be read: " + error.message(), name).value());
    }
    std::sort(listing.files.begin(), listing.files.end(),
              [](const LogFile& a, const LogFile& b) { return foldOrder(a) < foldOrder(b); });
    return listing;
}

Result<void> readInPieces(const fs::path& file, std::uintmax_t maxBytes,
                          const std::function<void(std::string_view)>& onBytes) {
    constexpr std::size_t pieceBytes = 256U << 10U;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        return fail(std::string("cannot be opened: ") + std::strerror(errno), file.string(),
                    "Check its permissions.");
    }
    std::string piece(pieceBytes, '\0');
    while (maxBytes > 0 && stream) {
        stream.read(piece.data(),
                    static_cast<std::streamsize>(std::min<std::uintmax_t>(pieceBytes, maxBytes)));
        const auto count = static_cast<std::size_t>(stream.gcount());
        onBytes(std::string_view(piece).substr(0, count));
        maxBytes -= count;
    }
    if (stream.bad()) return fail("cannot be read to its end", file.string(), "Check the disk.");
    return {};
}

}  // namespace dlperf::analysis
