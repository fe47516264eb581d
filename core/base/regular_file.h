// SPDX-License-Identifier: Apache-2.0
// Reading what should be a regular file and may have been replaced by a pipe or a link.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace dlperf {

// A link in a workspace may lead out of it: what a program reads there by itself is no link.
enum class Links { Follow, Refuse };

// Opened for reading, without waiting for whoever would write to a pipe. An Input error if it is no regular
// file, or is a link and links are refused.
[[nodiscard]] Result<Descriptor> openRegularFile(const std::filesystem::path& path, Links links);

// The whole file, as core/base/file.h has it.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t maxBytes,
                                           Links links);

}  // namespace dlperf
