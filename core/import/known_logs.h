// SPDX-License-Identifier: Apache-2.0
// Whether a log is in the workspace already, whatever its name: by its bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"

namespace dlperf::imports {

class KnownLogs {
public:
    // All *.log below the folder (W/logs), but for those inside the folders of runs, which lie beside them
    // too.
    explicit KnownLogs(const std::filesystem::path& logs);

    // The name of a known log with the same bytes; empty if there is none, and then this one is known as
    // `name` from now on. `checksum` may be empty: only logs of one size are read, and then it is filled in.
    // A Work error when `stop` asks.
    [[nodiscard]] Result<std::string> findOrAdd(const std::filesystem::path& file, std::uint64_t bytes,
                                                std::string& checksum, const std::string& name,
                                                const std::stop_token& stop);

private:
    struct Log {
        std::filesystem::path file;
        std::string name;
    };
    // Checksums are made when a second log of the size is asked for.
    struct OfOneSize {
        std::vector<Log> unread;
        std::unordered_map<std::string, std::string> names;  // by checksum
    };
    static Result<void> readAll(OfOneSize& logs, const std::stop_token& stop);

    std::unordered_map<std::uint64_t, OfOneSize> bySize_;
};

}  // namespace dlperf::imports
