// SPDX-License-Identifier: Apache-2.0
// An append-only file, one JSON object a line, flushed to disk before the call returns. What stands in it was
// decided; a last line that was torn by a crash was not, and is ignored.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace dlperf::run {

class Journal {
public:
    // Makes the file if it is missing; removes a torn last line.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& path);
    ~Journal();
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&& other) noexcept;

    // Adds "time" and writes the line. A Work error when the disk is full or gone.
    [[nodiscard]] Result<void> write(Json event);

private:
    Journal(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
    int fd_ = -1;
    std::filesystem::path path_;
};

// The events in order; a missing file has none. Lines that are no JSON objects are left out.
[[nodiscard]] std::vector<Json> readJournal(const std::filesystem::path& path);

}  // namespace dlperf::run
