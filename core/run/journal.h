// SPDX-License-Identifier: Apache-2.0
// An append-only file, one JSON object a line, flushed to disk before the call returns. What stands in it was
// decided; a last line that was torn by a crash was not, and is ignored.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/run/events.h"

namespace dlperf::run {

class Journal {
public:
    // Makes the file if it is missing; removes a torn last line.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& path);
    // A Work error when the disk is full or gone.
    [[nodiscard]] Result<void> write(const Event& event);

private:
    Journal(Descriptor file, std::filesystem::path path) : file_(std::move(file)), path_(std::move(path)) {}
    Descriptor file_;
    std::filesystem::path path_;
};

// The events in order; a missing file has none. Skips lines that are no JSON objects and kinds of events that
// this version does not know. An event that lacks what its kind needs is a Work error that names its line; a
// link, or what is no file, an Input error.
[[nodiscard]] Result<std::vector<Event>> readJournal(const std::filesystem::path& path);
// An Input error names the first whole line that is no JSON object.
[[nodiscard]] Result<void> checkJournal(const std::filesystem::path& path);

}  // namespace dlperf::run
