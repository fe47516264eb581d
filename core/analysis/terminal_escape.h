// SPDX-License-Identifier: Apache-2.0
// What a program prints for a terminal and nobody reads: colours, the cursor, titles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlperf::analysis {

// The length of the escape sequence that `text` begins with: CSI (colours, cursor), OSC (titles, links; ended
// by BEL or ST), and the short ones. 1, the escape itself, for what is none of them.
[[nodiscard]] std::size_t escapeLength(std::string_view text);

// The line itself where it has none; else what is left of it, which `buffer` holds.
[[nodiscard]] std::string_view withoutEscapes(std::string_view line, std::string& buffer);

}  // namespace dlperf::analysis
