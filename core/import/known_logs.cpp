// SPDX-License-Identifier: Apache-2.0
#include "core/import/known_logs.h"

#include "core/base/text.h"
#include "core/import/read_file.h"

namespace dlperf::imports {

namespace fs = std::filesystem;

KnownLogs::KnownLogs(const fs::path& logs) {
    std::error_code error;
    fs::recursive_directory_iterator entry(logs, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        const fs::file_type type = entry->symlink_status(ignored).type();
        if (type == fs::file_type::directory && fs::exists(entry->path() / "run.json", ignored)) {
            entry.disable_recursion_pending();
        } else if (type == fs::file_type::regular && entry->path().extension() == ".log") {
            const std::string name = cleanUtf8(("logs" / entry->path().lexically_relative(logs)).string());
            bySize_[entry->file_size(ignored)].push_back({entry->path(), name, {}});
        }
    }
}

Result<std::string> KnownLogs::findOrAdd(const fs::path& file, std::uint64_t bytes, const std::string& name,
                                         const std::stop_token& stop) {
    Known added{file, name, {}};
    const auto checksum = [&](Known& log) -> Result<void> {
        if (!log.checksum) {
            const auto sum = checksumOf(log.file, stop);
            if (!sum && sum.error().kind == ErrorKind::Work) {
                return Failure(sum.error());
            }
            log.checksum = sum.value_or(std::string());
        }
        return {};
    };
    for (Known& known : bySize_[bytes]) {
        for (Known* log : {&known, &added}) {
            if (auto made = checksum(*log); !made) {
                return Failure(made.error());
            }
        }
        if (!known.checksum->empty() && known.checksum == added.checksum) {
            return known.name;
        }
    }
    bySize_[bytes].push_back(std::move(added));
    return std::string();
}

}  // namespace dlperf::imports
