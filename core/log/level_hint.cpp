// SPDX-License-Identifier: Apache-2.0
#include "core/log/level_hint.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace dlperf::log {
namespace {

constexpr std::size_t letters = 3;       // of a hint
constexpr std::size_t bytesAtOnce = 16;  // looked at in one step
constexpr std::size_t stripe = 8 * bytesAtOnce;

// One byte for each place, as the compilers' vectors: every processor has sixteen at once. A comparison sets
// all bits of a byte or none.
using Bytes = unsigned char __attribute__((vector_size(bytesAtOnce)));

Bytes bytesAt(const char* at) {
    Bytes bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

Bytes isDigit(Bytes c) {
    return (c >= '0') & (c <= '9');
}

// Of each of levelOf()'s words the letters that are rare elsewhere, in capitals or not.
inline Bytes hints(const char* at) {
    const Bytes first = bytesAt(at);
    const Bytes second = bytesAt(at + 1);
    const Bytes a = first | 0x20;
    const Bytes b = second | 0x20;
    const Bytes c = bytesAt(at + 2) | 0x20;
    Bytes is = (a == 'r') & (b == 'r');                           // error, interrupt
    is |= (a == 'f') & ((b == 'a') | ((b == ' ') & (c == 'm')));  // fatal, fail, out of memory
    is |= (a == 'k') & (b == 'i') & (c == 'l');                   // killed
    is |= (a == 'c') & (b == 'r') & (c == 'i');                   // critical
    is |= (first == '_') & (second == '_') & (c == 'm');          // __main__.TooSlow
    is |= (a == 'w') & (b == 'a') & (c == 'r');                   // warn
    is |= (a == 'n') & (b == 'i') & (c == 'c');                   // panic
    is |= (a == 'x') & (b == 'c');                                // exception
    is |= (a == 'g') & (b == 'm');                                // segmentation
    is |= (a == 'u') & (b == 'm') & (c == 'p');                   // dumped
    is |= (a == 'b') & (b == 'o') & (c == 'r');                   // aborted
    is |= (first == '[') & ((second == 'E') | (second == 'W'));   // [E 12:00
    is |= ((first == 'E') | (first == 'F') | (first == 'W')) & isDigit(second) & isDigit(c);  // E0512
    return is;
}

std::array<std::uint64_t, 2> halves(Bytes bytes) {
    return std::bit_cast<std::array<std::uint64_t, 2>>(bytes);
}

bool hasHint(const char* at) {
    Bytes any{};
    for (std::size_t i = 0; i < stripe; i += bytesAtOnce) {
        any |= hints(at + i);
    }
    const auto [low, high] = halves(any);
    return (low | high) != 0;
}

// The first of the bytesAtOnce, or `bytesAtOnce`.
std::size_t firstHint(const char* at) {
    const Bytes found = hints(at);
    std::size_t place = 0;
    while (place < bytesAtOnce && found[place] == 0) {
        ++place;
    }
    return place;
}

}  // namespace

std::size_t findHint(std::string_view bytes, std::size_t from) {
    constexpr std::size_t reach = bytesAtOnce + letters - 1;
    while (from + stripe + letters <= bytes.size() && !hasHint(bytes.data() + from)) {
        from += stripe;
    }
    for (; from + reach <= bytes.size(); from += bytesAtOnce) {
        if (const std::size_t place = firstHint(bytes.data() + from); place < bytesAtOnce) {
            return from + place;
        }
    }
    std::array<char, reach> rest{};  // what is left, and nothing behind it
    if (from < bytes.size()) {
        bytes.copy(rest.data(), rest.size(), from);
    }
    const std::size_t place = firstHint(rest.data());
    return place < bytesAtOnce ? from + place : std::string_view::npos;
}

}  // namespace dlperf::log
