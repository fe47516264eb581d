// SPDX-License-Identifier: Apache-2.0
// By what a log is known again: its text, whatever system wrote its line ends. A copy that went over Windows
// is no other run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace dlperf::imports {

// Of the text with "\n" at the ends of its lines and without a byte order mark.
struct LogText {
    std::uint64_t bytes = 0;
    std::uint64_t lineEnds = 0;
    std::string checksum{};  // sha256
};

// Makes it of bytes that come in pieces; the first one holds the byte order mark.
class LogTextReader {
public:
    void add(std::string_view bytes);
    [[nodiscard]] LogText text();  // once, at the end

private:
    void take(std::string_view bytes);

    Sha256 sum_;
    LogText text_;
    bool begun_ = false;
    bool heldReturn_ = false;  // a "\r" at the end of what came: what follows says whether it counts
};

// An Input error says what cannot be read, a Work error comes when `stop` asks.
[[nodiscard]] Result<LogText> textOf(const std::filesystem::path& log, const std::stop_token& stop);

}  // namespace dlperf::imports
