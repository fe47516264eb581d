// SPDX-License-Identifier: Apache-2.0
// An append-only file, one JSON object a line, flushed to disk before the call returns. What stands in it was
// decided; a last line that was torn by a crash was not, and is ignored.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/json.h"

namespace dlperf::run {

class Journal {
public:
    // Makes the file if it is missing; removes a torn last line.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& path);
    // Adds "time" and writes the line. A Work error when the disk is full or gone.
    [[nodiscard]] Result<void> write(Json event);

private:
    Journal(Descriptor file, std::filesystem::path path) : file_(std::move(file)), path_(std::move(path)) {}
    Descriptor file_;
    std::filesystem::path path_;
};

// The events in order; a missing file has none. Lines that are no JSON objects are left out.
[[nodiscard]] std::vector<Json> readJournal(const std::filesystem::path& path);

}  // namespace dlperf::run
