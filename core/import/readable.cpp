// SPDX-License-Identifier: Apache-2.0
#include "core/import/readable.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/utf16.h"
#include "core/import/read_file.h"
#include "core/import/stage.h"

namespace dlperf::imports {

namespace fs = std::filesystem;

ReadableLogs::ReadableLogs(fs::path staging, const UnpackLimits& limits, std::stop_token stop)
    : staging_(std::move(staging)), limits_(limits), stop_(std::move(stop)) {
    limits_.entries = 1;
}

Result<fs::path> ReadableLogs::nextFolder() {
    fs::path folder = staging_ / fmt::format("readable-{}", ++made_);
    TRY(makeFolders(folder));
    return folder;
}

Result<fs::path> ReadableLogs::unpacked(const fs::path& packed) {
    const fs::path folder = TRY(nextFolder());
    const OnProgress quiet;
    const auto log = TRY(unpack(packed, folder, limits_, stop_, quiet));
    if (log.files.size() != 1) {
        return fail("holds no log", packed.string(), "Unpack it and import its folder.");
    }
    std::error_code unknown;
    limits_.bytes -= std::min<std::uint64_t>(limits_.bytes, fs::file_size(log.files.front().file, unknown));
    return log.files.front().file;
}

Result<fs::path> ReadableLogs::inUtf8(const fs::path& log) {
    constexpr std::uint64_t fewBytes = 256;
    std::string head;
    const auto read = readPieces(log, fewBytes, stop_, [&](std::string_view bytes) -> Result<void> {
        head += bytes;
        return {};
    });
    Utf16Reader reader(read ? std::string_view(head) : std::string_view());
    if (!reader.isWide()) {
        return log;
    }
    fs::path text = TRY(nextFolder()) / "0";
    const Descriptor out(::open(text.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!out.open()) {
        return diskRefuses(text, errno);
    }
    const auto written =
        readPieces(log, std::numeric_limits<std::uint64_t>::max(), stop_, [&](std::string_view bytes) {
            const int error = writeAll(out.get(), reader.utf8(bytes));
            return error == 0 ? Result<void>() : diskRefuses(text, error);
        });
    if (!written && written.error().kind == ErrorKind::Work) {
        return Failure(written.error());
    }
    return written ? text : log;
}

}  // namespace dlperf::imports
