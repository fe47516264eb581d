// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf16.h"

#include <utility>

namespace dlperf {
namespace {

char byteOf(std::uint32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
}

void append(std::uint32_t point, std::string& text) {
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

bool isHigh(std::uint32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool isLow(std::uint32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

Utf16Reader::Utf16Reader(std::string_view head) : order_(orderOf(head)) {}

// As the mark at the beginning says; without one as Latin letters lie, of which every other byte is 0.
Utf16Reader::Order Utf16Reader::orderOf(std::string_view head) {
    constexpr std::size_t fewest = 16;
    constexpr std::size_t looked = 256;
    if (head.starts_with("\xFF\xFE")) {
        return Order::LittleEndian;
    }
    if (head.starts_with("\xFE\xFF")) {
        return Order::BigEndian;
    }
    const std::string_view few = head.substr(0, looked);
    std::size_t even = 0;
    std::size_t odd = 0;
    for (std::size_t i = 0; i < few.size(); ++i) {
        (i % 2 == 0 ? even : odd) += few[i] == '\0' ? 1U : 0U;
    }
    const std::size_t most = few.size() / 2 * 9 / 10;
    if (few.size() < fewest || (even > 0) == (odd > 0) || even + odd < most) {
        return Order::None;
    }
    return odd > 0 ? Order::LittleEndian : Order::BigEndian;
}

std::string Utf16Reader::utf8(std::string_view bytes) {
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

void Utf16Reader::take(std::uint32_t unit, std::string& text) {
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

}  // namespace dlperf
