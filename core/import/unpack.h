// SPDX-License-Identifier: Apache-2.0
// Logs out of an archive of anybody's. The names inside it are text only: what is kept lies under a number,
// so no name, link or device of the archive ever reaches the file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/import/remarks.h"
#include "core/import/stage.h"

namespace dlperf::imports {

// An archive that goes beyond one of them is refused as a whole.
struct UnpackLimits {
    std::uint64_t bytes = 32ULL << 30U;     // of all files kept
    std::uint64_t fileBytes = 8ULL << 30U;  // of one of them
    std::size_t entries = 65'536;
    // Bytes that come out for each that goes in, looked at once `ratioFrom` bytes are out: logs pack 5 to 30
    // times, deflate packs zeros 1032 times.
    std::uint64_t ratio = 200;
    std::uint64_t ratioFrom = 64ULL << 20U;
};

struct UnpackedFile {
    std::filesystem::path file;      // "<target>/17"
    std::vector<std::string> parts;  // its name inside the archive: {"2n8g", "r50_b128_fp32_1.log"}
};

struct Unpacked {
    std::vector<UnpackedFile> files;  // of every kind but archives and others, in the archive's order
    Remarks remarks;                  // what was skipped
};

// By its name's ending, and by its first bytes where the name says nothing.
[[nodiscard]] bool isArchive(const std::filesystem::path& file);

// .tar, packed by gzip, xz, bzip2, zstd or not, .zip, and single packed files, whatever the name's ending
// says. `target` is an empty folder; what is in it after an error is for the caller to remove. An Input error
// says what is broken, encrypted or too large and where, a Work error what the disk refuses or that `stop`
// asked.
[[nodiscard]] Result<Unpacked> unpack(const std::filesystem::path& archive,
                                      const std::filesystem::path& target, const UnpackLimits& limits,
                                      const std::stop_token& stop, const OnProgress& onProgress);

}  // namespace dlperf::imports
