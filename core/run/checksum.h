// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace dlperf::run {

// sha256 of a file of this machine, 64 hexadecimal digits, made as the nodes make theirs. Logs may be large:
// it may take minutes. A Work error when the file cannot be read.
[[nodiscard]] Result<std::string> checksumHere(const std::filesystem::path& file);

}  // namespace dlperf::run
