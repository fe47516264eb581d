// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>

#include "core/analysis/log_name.h"
#include "core/base/descriptor.h"
#include "core/base/utf16.h"

namespace dlperf::analysis {
namespace {

namespace fs = std::filesystem;

// Entries of a folder whose names do not start with a dot. What cannot be looked at is skipped.
std::vector<fs::directory_entry> visibleEntries(const fs::path& folder, std::error_code& error) {
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        if (!at->path().filename().native().starts_with('.')) {
            entries.push_back(*at);
        }
    }
    return entries;
}

bool isLog(const fs::directory_entry& entry) {
    std::error_code notThere;
    return entry.path().extension() == ".log" && entry.is_regular_file(notThere);
}

auto foldOrder(const LogFile& file) {
    const auto name = parseLogName(file.name);
    const long repetition = name ? name->repetition : std::numeric_limits<long>::max();
    return std::make_tuple(file.folder.empty(), !hasExtraFields(file.name), repetition, file.path());
}

// Gets a piece of a file's text and how many of the file's bytes it was; says whether to go on.
using OnPiece = std::function<bool(std::string_view text, std::size_t bytes)>;

// Hands the file to `onPiece` in pieces, in UTF-8 where it is in UTF-16.
Result<void> readInPieces(const fs::path& file, const OnPiece& onPiece) {
    const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened.open()) {
        return fail(std::string("cannot be opened: ") + std::strerror(errno), file.string(),
                    "Check its permissions.");
    }
    constexpr std::size_t pieceBytes = 64U << 10U;
    const auto piece = std::make_unique_for_overwrite<char[]>(pieceBytes);
    std::optional<Utf16Reader> wide;
    for (;;) {
        const ssize_t count = ::read(opened.get(), piece.get(), pieceBytes);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return fail(std::string("cannot be read to its end: ") + std::strerror(errno), file.string(),
                        "Check the disk, and that nobody replaces the file.");
        }
        const std::string_view bytes(piece.get(), static_cast<std::size_t>(count));
        if (!wide) {
            wide.emplace(bytes);
        }
        if (bytes.empty() || !onPiece(wide->isWide() ? wide->utf8(bytes) : bytes, bytes.size())) {
            return {};
        }
    }
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
        std::error_code notThere;
        const std::string name = top.path().filename().string();
        if (isLog(top)) {
            listing.files.push_back({{}, name});
        }
        if (!top.is_directory(notThere)) {
            continue;
        }
        for (const auto& entry : visibleEntries(top.path(), error)) {
            if (isLog(entry)) {
                listing.files.push_back({name, entry.path().filename().string()});
            }
        }
        if (error) {
            listing.problems.push_back(fail("cannot be read: " + error.message(), name).value());
        }
    }
    std::sort(listing.files.begin(), listing.files.end(),
              [](const LogFile& a, const LogFile& b) { return foldOrder(a) < foldOrder(b); });
    return listing;
}

Result<void> feedFile(const fs::path& file, LogAnalyzer& analyzer, const std::stop_token& stop,
                      const OnFed& onFed) {
    return readInPieces(file, [&](std::string_view text, std::size_t bytes) {
        analyzer.feed(text);
        if (onFed) {
            onFed(bytes);
        }
        return !stop.stop_requested();
    });
}

bool LogHead::add(std::string_view bytes) {
    read_ += bytes.size();
    while (!bytes.empty() && text_.size() < most) {
        const std::size_t end = bytes.find_first_of("\r\n");  // progress bars end theirs by a return
        const std::string_view line = bytes.substr(0, end);
        // One byte more tells that the line is cut.
        const std::size_t room = LineSplitter::maxBytes + 1 - std::min(inLine_, LineSplitter::maxBytes + 1);
        text_ += line.substr(0, room);
        inLine_ += line.size();
        if (end == std::string_view::npos) {
            break;
        }
        text_ += bytes[end];
        inLine_ = 0;
        bytes.remove_prefix(end + 1);
    }
    return text_.size() < most && read_ < mostRead;
}

std::string readHead(const fs::path& file) {
    LogHead head;
    (void)readInPieces(file, [&](std::string_view text, std::size_t) { return head.add(text); });
    return head.take();
}

}  // namespace dlperf::analysis
