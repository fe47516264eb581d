// SPDX-License-Identifier: Apache-2.0
#include "core/import/readable.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/import/read_file.h"
#include "core/import/stage.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;

enum class Order { None, LittleEndian, BigEndian };

// As the mark at the beginning says; without one as Latin letters lie, of which every other byte is 0.
Order orderOf(std::string_view head) {
    constexpr std::size_t fewest = 16;
    if (head.starts_with("\xFF\xFE")) {
        return Order::LittleEndian;
    }
    if (head.starts_with("\xFE\xFF")) {
        return Order::BigEndian;
    }
    std::size_t even = 0;
    std::size_t odd = 0;
    for (std::size_t i = 0; i < head.size(); ++i) {
        (i % 2 == 0 ? even : odd) += head[i] == '\0' ? 1U : 0U;
    }
    const std::size_t most = head.size() / 2 * 9 / 10;
    if (head.size() < fewest || (even > 0) == (odd > 0) || even + odd < most) {
        return Order::None;
    }
    return odd > 0 ? Order::LittleEndian : Order::BigEndian;
}

char byteOf(std::uint32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
}

class FromUtf16 {
public:
    explicit FromUtf16(Order order) : order_(order) {}

    // The next bytes; what is cut by their end is kept for the next ones.
    [[nodiscard]] std::string utf8(std::string_view bytes) {
        std::string text;
        for (const char c : bytes) {
            const std::uint32_t byte = static_cast<unsigned char>(c);
            if (!half_) {
                half_ = byte;
                continue;
            }
            const std::uint32_t half = *std::exchange(half_, std::nullopt);
            take(order_ == Order::LittleEndian ? half | byte << 8U : half << 8U | byte, text);
        }
        return text;
    }

private:
    static bool isHigh(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
    static bool isLow(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

    void take(std::uint32_t unit, std::string& text) {
        constexpr std::uint32_t mark = 0xFEFF;
        constexpr std::uint32_t unknown = 0xFFFD;
        const std::uint32_t high = std::exchange(high_, 0);
        if (high != 0 && isLow(unit)) {
            append(0x10000 + ((high - 0xD800) << 10U) + (unit - 0xDC00), text);
            return;
        }
        if (high != 0) {
            append(unknown, text);
        }
        if (isHigh(unit)) {
            high_ = unit;
        } else if (unit != mark) {
            append(isLow(unit) ? unknown : unit, text);
        }
    }

    static void append(std::uint32_t point, std::string& text) {
        const auto tail = [&](std::uint32_t shift) { text += byteOf(0x80U | (point >> shift & 0x3FU)); };
        if (point < 0x80) {
            text += byteOf(point);
        } else if (point < 0x800) {
            text += byteOf(0xC0U | point >> 6U);
            tail(0);
        } else if (point < 0x10000) {
            text += byteOf(0xE0U | point >> 12U);
            tail(6);
            tail(0);
        } else {
            text += byteOf(0xF0U | point >> 18U);
            tail(12);
            tail(6);
            tail(0);
        }
    }

    Order order_;
    std::optional<std::uint32_t> half_;  // of a unit
    std::uint32_t high_ = 0;             // of a pair; 0: none
};

}  // namespace

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
    const Order order = read ? orderOf(head) : Order::None;
    if (order == Order::None) {
        return log;
    }
    fs::path text = TRY(nextFolder()) / "0";
    const Descriptor out(::open(text.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!out.open()) {
        return diskRefuses(text, errno);
    }
    FromUtf16 reader(order);
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
