// SPDX-License-Identifier: Apache-2.0
// Text in UTF-16, as PowerShell's ">" writes it, read as UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dlperf {

class Utf16Reader {
public:
    // `head` is the text's beginning: its byte order mark says that it is UTF-16, or how Latin letters lie.
    explicit Utf16Reader(std::string_view head);

    [[nodiscard]] bool isWide() const { return order_ != Order::None; }

    // The next bytes; what is cut by their end is kept for the next ones.
    [[nodiscard]] std::string utf8(std::string_view bytes);

private:
    enum class Order { None, LittleEndian, BigEndian };

    static Order orderOf(std::string_view head);
    void take(std::uint32_t unit, std::string& text);

    Order order_;
    std::optional<std::uint32_t> half_{};  // of a unit
    std::uint32_t high_ = 0;               // of a pair; 0: none
};

}  // namespace dlperf
