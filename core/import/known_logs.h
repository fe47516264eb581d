// SPDX-License-Identifier: Apache-2.0
// Whether a log is in the workspace already, whatever its name: by its bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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
    // `name` from now on. Only logs of one size are read. A Work error when `stop` asks.
    [[nodiscard]] Result<std::string> findOrAdd(const std::filesystem::path& file, std::uint64_t bytes,
                                                const std::string& name, const std::stop_token& stop);

private:
    struct Known {
        std::filesystem::path file;
        std::string name;
        std::optional<std::string> checksum;  // made when it is first asked for; empty if it cannot be read
    };
    std::unordered_map<std::uint64_t, std::vector<Known>> bySize_;
};

}  // namespace dlperf::imports
