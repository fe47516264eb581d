// SPDX-License-Identifier: Apache-2.0
// A file that one process at a time holds, for the moment in which something beside it is read, changed and
// replaced.
#pragma once

#include <filesystem>

#include "core/base/descriptor.h"

namespace dlperf {

class FileLock {
public:
    // Makes the file where there is none, and waits for whoever holds it. For writing: file systems of a
    // network lock nothing else.
    explicit FileLock(const std::filesystem::path& file);
    bool held() const { return held_; }

private:
    Descriptor file_;
    bool held_ = false;
};

}  // namespace dlperf
