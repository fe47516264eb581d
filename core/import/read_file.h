// SPDX-License-Identifier: Apache-2.0
// Reading logs of elsewhere: nothing but regular files, and never through a link that took a file's place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace dlperf::imports {

// Hands over the file's bytes in pieces, at most `most` of them. A Work error of `onBytes` or of `stop` ends
// it; an Input error says what cannot be read.
[[nodiscard]] Result<void> readPieces(const std::filesystem::path& file, std::uint64_t most,
                                      const std::stop_token& stop,
                                      const std::function<Result<void>(std::string_view)>& onBytes);

}  // namespace dlperf::imports
