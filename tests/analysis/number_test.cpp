// SPDX-License-Identifier: Apache-2.0
// Numbers of a known shape are read as strtod reads them.
#include "core/analysis/number.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

namespace dlperf::analysis {
namespace {

std::string someDigits(std::mt19937_64& random, std::size_t count) {
    std::string digits;
    while (digits.size() < count) {
        digits += static_cast<char>('0' + random() % 10);
    }
    return digits;
}

TEST(NumberShape, DigitsAreReadAtOnceWhereEightBytesMayBe) {
    std::mt19937_64 random(5);
    int readAtOnce = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::size_t before = random() % 12;
        const std::size_t whole = 1 + random() % 10;
        const std::size_t decimals = random() % 16;
        const std::string number =
            someDigits(random, whole) + (decimals > 0 ? "." + someDigits(random, decimals) : "");
        const std::string line = std::string(before, '7') + number;  // what stands before is not read
        const std::string_view text = std::string_view(line).substr(before);
        const NumberShape shape = shapeOfNumber(text, before);
        const bool mayBeRead = before + whole >= 8 && (decimals <= 8 || before + number.size() >= 16);
        const bool fits = whole <= 8 && whole + decimals <= 15 && mayBeRead;
        ASSERT_EQ(shape.whole > 0, fits) << number << " behind " << before;
        if (!fits) {
            continue;
        }
        ++readAtOnce;
        ASSERT_EQ(readNumber(text.data(), shape), std::strtod(number.c_str(), nullptr)) << number;
        ASSERT_EQ(readDigits(text.data() + whole, static_cast<unsigned>(whole)),
                  std::strtoull(number.c_str(), nullptr, 10));
    }
    EXPECT_GT(readAtOnce, 10'000);
}

TEST(NumberShape, AllElseNeedsCare) {
    for (const char* text : {"", ".", "1.", ".5", "-1", "+1", "1e5", "1.5e5", "nan", "inf", "1 2", " 12"}) {
        EXPECT_EQ(shapeOfNumber(text, 16).whole, 0) << text;
    }
}

}  // namespace
}  // namespace dlperf::analysis
