// SPDX-License-Identifier: Apache-2.0
// The logs of a folder, whatever its tree looks like, of an archive, or one log by itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/import/log_kind.h"
#include "core/import/remarks.h"
#include "core/import/unpack.h"

namespace dlperf::imports {

struct FoundLog {
    std::filesystem::path file;      // where its bytes are
    std::filesystem::path memory;    // the .mem file beside it, or empty
    std::vector<std::string> parts;  // its name below what is imported
    FileKind kind = FileKind::Log;   // or Capture
    std::filesystem::path record;  // the run.json of its run, where a workspace or a bundle has it; or empty
    std::string checksum;          // sha256 that a bundle's manifest has of it; empty where there is none
};

// The formats.json of a workspace or a bundle, which its logs may be of.
struct FoundFormats {
    std::string name;  // below what is imported
    std::string text;
    bool isPublished = false;  // in a bundle; else the file may be anyone's of that name
};

struct FoundLogs {
    std::vector<FoundLog> logs;  // sorted by their names
    std::vector<FoundFormats> formats{};
    std::vector<std::string> above;  // the names of what they lie in, which may say things about them too
    std::string name;                // what is imported, for people: "logs", "logs.tar.gz"
    Remarks remarks;
};

// Logs in the folders of runs (those with a run.json) are skipped: a workspace has the log of each beside
// its folder. Links are not followed.
inline constexpr std::size_t mostFolders = 20'000;
inline constexpr std::size_t mostLogs = 65'536;

// `path` is a folder, a log or an archive, which is unpacked into `staging`, an empty folder. An Input error
// for what cannot be read or is too large, a Work error when `stop` asks.
[[nodiscard]] Result<FoundLogs> findLogs(const std::filesystem::path& path,
                                         const std::filesystem::path& staging, const UnpackLimits& limits,
                                         const std::stop_token& stop, const OnProgress& onProgress);

}  // namespace dlperf::imports
