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
            bySize_[entry->file_size(ignored)].unread.push_back({entry->path(), name});
        }
    }
}

// One that cannot be read is like no other.
Result<void> KnownLogs::readAll(OfOneSize& logs, const std::stop_token& stop) {
    for (const Log& log : logs.unread) {
        const auto checksum = checksumOf(log.file, stop);
        if (checksum) {
            logs.names.emplace(*checksum, log.name);
        } else if (checksum.error().kind == ErrorKind::Work) {
            return Failure(checksum.error());
        }
    }
    logs.unread.clear();
    return {};
}

Result<std::string> KnownLogs::findOrAdd(const fs::path& file, std::uint64_t bytes, std::string& checksum,
                                         const std::string& name, const std::stop_token& stop) {
    OfOneSize& logs = bySize_[bytes];
    const bool first = logs.unread.empty() && logs.names.empty();
    if (checksum.empty() && first) {
        logs.unread.push_back({file, name});
        return std::string();
    }
    if (checksum.empty()) {
        const auto made = checksumOf(file, stop);
        if (!made) {
            // It cannot be read: copying will say so.
            return made.error().kind == ErrorKind::Work ? Result<std::string>(Failure(made.error()))
                                                        : std::string();
        }
        checksum = *made;
    }
    if (auto read = readAll(logs, stop); !read) {
        return Failure(read.error());
    }
    const auto [known, isNew] = logs.names.emplace(checksum, name);
    return isNew ? std::string() : known->second;
}

}  // namespace dlperf::imports
