// SPDX-License-Identifier: Apache-2.0
#include "core/import/read_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/regular_file.h"
#include "core/import/stage.h"

namespace dlperf::imports {
namespace {

std::uint64_t bytesOf(const Descriptor& file) {
    struct stat facts {};
    return ::fstat(file.get(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

}  // namespace

Result<void> readPieces(const std::filesystem::path& file, std::uint64_t most, const std::stop_token& stop,
                        const std::function<Result<void>(std::string_view)>& onBytes) {
    constexpr std::uint64_t pieceBytes = 256U << 10U;
    constexpr std::uint64_t fewestBytes = 4U << 10U;
    const auto opened = TRY(openRegularFile(file, Links::Refuse));
    // One byte more than the file has: the next reading tells that it is whole.
    std::string piece(std::clamp(bytesOf(opened) + 1, fewestBytes, pieceBytes), '\0');
    while (most > 0) {
        if (stop.stop_requested()) {
            return cancelled(file.string());
        }
        const ::ssize_t count =
            ::read(opened.get(), piece.data(), std::min<std::uint64_t>(most, piece.size()));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return fail(std::string("cannot be read to its end: ") + std::strerror(errno), file.string(),
                        "Check the disk.");
        }
        if (count == 0) {
            return {};
        }
        const auto bytes = static_cast<std::size_t>(count);
        TRY(onBytes(std::string_view(piece).substr(0, bytes)));
        most -= bytes;
    }
    return {};
}

}  // namespace dlperf::imports
