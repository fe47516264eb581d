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
// or "..", and never too long for a file system (the end then gives way to a checksum of the whole).
[[nodiscard]] std::string pathComponent(std::string name);

// What a file dialog proposes for a thing of this title: a component of a path that stays readable. What a
// file system or a shell takes amiss becomes "-": "Throughput, images/s" -> "Throughput, images-s".
[[nodiscard]] std::string proposedFileName(std::string_view title);

}  // namespace dlperf::store
