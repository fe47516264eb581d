// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/base/subnet.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace dlperf {
namespace {

TEST(Text, SplitsAndJoins) {
    EXPECT_EQ(split("a,b,,c", ','), (std::vector<std::string_view>{"a", "b", "", "c"}));
    EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
    EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
    EXPECT_EQ(join({"same", "same"}, "-"), "same-same");
    EXPECT_EQ(join({}, ", "), "");
    EXPECT_EQ(joinSome({"a", "b"}, 2), "a, b");
    EXPECT_EQ(joinSome({"a", "b", "c"}, 1, "\n", "\n"), "a\nand 2 more");
}

TEST(Text, TrimsAndLowers) {
    EXPECT_EQ(trim(" \t a b \r\n"), "a b");
    EXPECT_EQ(trim(" \t"), "");
    EXPECT_EQ(lower("ResNet-50 \xC3\x84"), "resnet-50 \xC3\x84");
}

TEST(Text, WholeNumbersOnly) {
    EXPECT_EQ(toInt("42"), 42);
    EXPECT_EQ(toInt("-1"), -1);
    for (const char* text : {"", " 1", "1 ", "12x", "1.0", "+1", "99999999999", "0x10"}) {
        EXPECT_EQ(toInt(text), std::nullopt) << text;
    }
}

// What a real shell makes of the quoted word.
std::string echoed(const std::string& word) {
    const std::string command = "printf '%s' " + shellQuote(word);
    FILE* pipe = ::popen(command.c_str(), "r");
    std::string output;
    std::array<char, 256> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        output.append(buffer.data(), count);
    }
    ::pclose(pipe);
    return output;
}

TEST(Text, AShellSeesOneWord) {
    for (const char* word : {"", "plain", "two words", "it's",
                             "$(echo no) `echo no` $HOME \\ \" ! * ; & | > # ~", "'\n'", "-n"}) {
        EXPECT_EQ(echoed(word), word);
    }
}

TEST(Text, HtmlHasNoWayOut) {
    EXPECT_EQ(escapeHtml("<a href=\"x\" title='y'>&amp;</a>"),
              "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
}

TEST(Text, BrokenBytesBecomeReplacementCharacters) {
    EXPECT_EQ(cleanUtf8("plain \xE6\xB1\x89 \xF0\x9F\x98\x80"), "plain \xE6\xB1\x89 \xF0\x9F\x98\x80");
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(cleanUtf8("a\xFFz"), "a" + replacement + "z");
    EXPECT_EQ(cleanUtf8("\xC0\xAF"), replacement + replacement);                    // overlong
    EXPECT_EQ(cleanUtf8("\xED\xA0\x80"), replacement + replacement + replacement);  // a surrogate
    EXPECT_EQ(cleanUtf8("\xE6\xB1"), replacement + replacement);                    // cut short
}

TEST(Subnet, IsWhatAddressesOfOneNetworkShare) {
    EXPECT_EQ(subnetOf("10.11.7.2/16"), "10.11.0.0/16");
    EXPECT_EQ(subnetOf("10.11.7.2/22"), "10.11.4.0/22");
    EXPECT_EQ(subnetOf("10.11.7.2/32"), "10.11.7.2/32");
    EXPECT_EQ(subnetOf("10.11.7.2/0"), "0.0.0.0/0");
    EXPECT_EQ(subnetOf("fd00:0:0:7::12/57"), "fd00::/57");
    EXPECT_EQ(subnetOf("10.11.7.2"), "10.11.7.2/32") << "one end of a tunnel";
    EXPECT_EQ(subnetOf("fd00::12"), "fd00::12/128");
    for (const char* wrong : {"", "/", "10.11.7.2/", "10.11.7.2/33", "10.11.7.2/-1", "10.11.7/24",
                              "fd00::1/129", "eth0/24", "10.11.7.2/2 4", "::ffff:10.0.0.1.2/64"}) {
        EXPECT_FALSE(subnetOf(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace dlperf
