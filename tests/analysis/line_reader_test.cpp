// SPDX-License-Identifier: Apache-2.0
// What is remembered of lines is true of each of them, however many shapes want one place.
#include "core/analysis/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

std::string withoutDigits(std::string line) {
    std::replace_if(line.begin(), line.end(), isDigit, '0');
    return line;
}

// A line of the shape, with other digits.
std::string another(std::mt19937_64& random, std::string line) {
    for (char& c : line) {
        if (isDigit(c)) {
            c = static_cast<char>('0' + random() % 10);
        }
    }
    return line;
}

// Short ones, those of a step's size and around it, and such as are too long to keep; bytes beside '0' and
// '9', and above 127.
std::string someShape(std::mt19937_64& random) {
    constexpr std::string_view letters = "0000/:ab \xff\x80";
    const std::size_t longest = random() % 50 == 0 ? 600 : 70;
    std::string line(1 + random() % longest, ' ');
    for (char& c : line) {
        c = letters[random() % letters.size()];
    }
    return line;
}

TEST(LineShapes, AreThoseOfTheirLines) {
    std::mt19937_64 random(7);
    for (const std::size_t count : {1U, 2U, 40U, 300U, 2000U}) {
        std::vector<std::string> shapes(count);
        std::generate(shapes.begin(), shapes.end(), [&] { return someShape(random); });
        std::unordered_map<std::string, std::uint32_t>
            numbers;  // of each shape, which stands for what is known
        LineShapes store;
        std::size_t made = 0;
        constexpr std::size_t lines = 20'000;
        for (std::size_t i = 0; i < lines; ++i) {
            // Now in turns, now at random: what comes next is foreseen, or is not.
            const std::string line =
                another(random, shapes[i / 5000 % 2 == 0 ? i % count : random() % count]);
            const auto number =
                numbers.emplace(withoutDigits(line), static_cast<std::uint32_t>(numbers.size()))
                    .first->second;
            const LineShape& shape = store.of(line, [&](std::string_view bytes) {
                ++made;
                EXPECT_EQ(bytes, line);
                LineShape known;
                known.text.at = number;
                return known;
            });
            ASSERT_EQ(shape.text.at, number) << line;
        }
        if (count == 40) {  // long lines aside, each is made twice
            EXPECT_LT(made, lines / 10);
        }
    }
}

TEST(LineShapes, TellApartWhatDiffersInOneByte) {
    std::mt19937_64 random(9);
    const std::string line = "iteration 17 time 0.25 s: 9/10 done, all is well";
    for (std::size_t at = 0; at < line.size(); ++at) {
        LineShapes store;
        const auto make = [](std::string_view bytes) {
            LineShape shape;
            shape.text.size =
                static_cast<std::uint32_t>(std::hash<std::string>{}(withoutDigits(std::string(bytes))));
            return shape;
        };
        for (int byte = 0; byte < 256; ++byte) {
            for (int i = 0; i < 3; ++i) {  // known from the third on
                EXPECT_EQ(store.of(line, make).text.size, make(line).text.size);
            }
            std::string other = line;
            other[at] = static_cast<char>(byte);
            EXPECT_EQ(store.of(other, make).text.size, make(other).text.size) << at << " " << byte;
        }
    }
}

}  // namespace
}  // namespace dlperf::analysis
