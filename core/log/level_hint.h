// SPDX-License-Identifier: Apache-2.0
// A fast no for most of a log: where a warning or an error may be at all.
#pragma once

#include <cstddef>
#include <string_view>

namespace dlperf::log {

// Where, from `from` on, three letters stand that a line must hold to be a warning or an error; npos where
// none do. Many lines that are neither hold them too.
[[nodiscard]] std::size_t findHint(std::string_view bytes, std::size_t from);

}  // namespace dlperf::log
