// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/text_finder.h"

#include <gtest/gtest.h>

#include <random>

namespace dlperf::analysis {
namespace {

TEST(TextFinder, FindsWhatStringViewFinds) {
    std::minstd_rand random(5);
    const auto letters = [&](std::size_t longest) {
        std::string text(random() % (longest + 1), ' ');
        for (char& c : text) {
            c = "ab]"[random() % 3];
        }
        return text;
    };
    for (int i = 0; i < 20000; ++i) {
        const std::string line = letters(24);
        const std::string text = letters(3) + 'b';
        const TextFinder finder(text);
        ASSERT_EQ(finder.first(line), std::string_view(line).find(text)) << text << " in " << line;
        ASSERT_EQ(finder.last(line), std::string_view(line).rfind(text)) << text << " in " << line;
    }
}

TEST(TextFinder, AnEmptyTextStandsNowhere) {
    EXPECT_EQ(TextFinder("").first("abc"), std::string_view::npos);
    EXPECT_EQ(TextFinder("").last("abc"), std::string_view::npos);
    EXPECT_EQ(TextFinder("abc").first(""), std::string_view::npos);
}

}  // namespace
}  // namespace dlperf::analysis
