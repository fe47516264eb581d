// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace dlperf::worker {

// SplitMix64: a stream of random numbers that is a pure function of its seed, on every machine and for any
// number of threads. A stream is made from what it is for: Random({seed, epoch, image}).
class Random {
public:
    Random(std::initializer_list<std::uint64_t> purpose) {
        for (const std::uint64_t part : purpose) {
            state_ = mix(state_ + increment + part);
        }
    }

    std::uint64_t next() { return mix(state_ += increment); }

    // At least 0, below 1.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    double between(double low, double high) { return low + (high - low) * uniform(); }

    // 0 to count - 1; the bias for counts far below 2^64 is beyond notice.
    std::uint64_t below(std::uint64_t count) { return next() % count; }

    template <typename Item>
    void shuffle(std::vector<Item>& items) {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[below(i)]);
        }
    }

    // Nearly normal, mean 0 and variance 1: the sum of four uniform numbers. Unlike a true normal variable it
    // needs no transcendental function, whose last bits differ between libraries.
    float nearlyNormal() {
        constexpr double deviation =
            65536.0 * 0.5773502691896258;  // of the sum: sqrt(4 / 12) of the range of one
        const std::uint64_t bits = next();
        const auto sum = static_cast<double>((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) +
                                             (bits >> 48));
        return static_cast<float>((sum - 2 * 65535.0) / deviation);
    }

private:
    static constexpr std::uint64_t increment = 0x9E3779B97F4A7C15;
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
    std::uint64_t state_ = 0;
};

}  // namespace dlperf::worker
