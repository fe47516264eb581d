// SPDX-License-Identifier: Apache-2.0
// How any text becomes one component of a path inside the workspace.
#pragma once

#include <string>
#include <string_view>

namespace dlperf::store {

// Bytes other than A-Z a-z 0-9 . - and those in `also` are written %XX, so that a name can hold neither "/"
// nor NUL, nor what separates the parts of a name.
[[nodiscard]] std::string encodedName(std::string_view text, std::string_view also);

// One component of a path: never empty, never hidden (DLPerf's extractors skip such folders) and so never "."
// or
// "..", and never too long for a file system (the end then gives way to a checksum of the whole).
[[nodiscard]] std::string pathComponent(std::string name);

}  // namespace dlperf::store
