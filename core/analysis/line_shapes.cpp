// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_shapes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace dlperf::analysis {
namespace {

// Vector registers as GCC and Clang offer them on every machine.
constexpr std::size_t stepBytes = 16;
using Bytes [[gnu::vector_size(stepBytes)]] = unsigned char;
using Words [[gnu::vector_size(stepBytes)]] = std::uint64_t;

// The next bytes, each digit as '0', and what they add to the hash.
struct Step {
    Bytes bytes;

    explicit Step(const char* from) {
        std::memcpy(&bytes, from, stepBytes);
        const Bytes isDigit = reinterpret_cast<Bytes>(bytes - '0' <= 9);
        bytes = (bytes & ~isDigit) | ('0' & isDigit);
    }
    void addTo(Words& hash) const { hash = ((hash << 5U) | (hash >> 59U)) ^ reinterpret_cast<Words>(bytes); }
};

}  // namespace

// The last step overlaps the one before it: to read bytes that have just been written elsewhere takes longer
// than all the others.
LineShapes::Slot& LineShapes::slotOf(std::string_view line) {
    Words sums{line.size(), 0};
    const auto take = [&](const char* from, std::size_t at) {
        const Step step(from);
        std::memcpy(bytes_.data() + at, &step.bytes, stepBytes);
        step.addTo(sums);
    };
    if (line.size() < stepBytes) {
        std::array<char, stepBytes> filled{};
        std::copy(line.begin(), line.end(), filled.begin());
        take(filled.data(), 0);
    } else {
        for (std::size_t at = 0; at + stepBytes < line.size(); at += stepBytes) {
            take(line.data() + at, at);
        }
        take(line.data() + line.size() - stepBytes, line.size() - stepBytes);
    }
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: spreads bits well
    hash_ = (sums[0] * factor) ^ std::rotl(sums[1] * factor, 32);
    if (slots_.empty()) slots_.resize(slotCount);
    return slots_[(hash_ >> 40U) % slotCount];
}

bool LineShapes::meetsAgain(Slot& slot) const {
    if (slot.hash == hash_ && slot.bytes.empty()) return true;
    slot.hash = hash_;
    slot.bytes.clear();
    return false;
}

}  // namespace dlperf::analysis
