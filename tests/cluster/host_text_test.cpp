// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/host_lists.h"

#include <gmock/gmock.h>

namespace dlperf::cluster {
namespace {

using testing::HasSubstr;

TEST(HostText, SaysWhereANodeIs) {
    struct Case {
        const char* text;
        const char* user;
        const char* host;
        std::optional<int> port;
    };
    for (const Case& one :
         {Case{"gpu-01", "", "gpu-01", {}}, Case{"me@gpu-01.lab:2222", "me", "gpu-01.lab", 2222},
          Case{"me@lab@gpu-01", "me@lab", "gpu-01", {}}, Case{"fe80::1", "", "fe80::1", {}},
          Case{"[fe80::1]:22", "", "fe80::1", 22}}) {
        const auto node = withHost({}, one.text);
        ASSERT_TRUE(node) << one.text;
        EXPECT_FALSE(node->local);
        EXPECT_EQ(node->user, one.user);
        EXPECT_EQ(node->host, one.host);
        EXPECT_EQ(node->port, one.port);
        EXPECT_EQ(hostText(*node), one.text);
    }
    EXPECT_EQ(withHost({}, " [fe80::1] ")->host, "fe80::1");
}

TEST(HostText, NothingIsThisMachine) {
    const auto before = withHost({}, "me@gpu-01:22");
    ASSERT_TRUE(before);
    const auto node = withHost(*before, "  ");
    ASSERT_TRUE(node);
    EXPECT_TRUE(node->local);
    EXPECT_TRUE(node->host.empty() && node->user.empty() && !node->port);
    EXPECT_EQ(hostText(*node), "");
}

TEST(HostText, WhatCannotBeReadIsNamed) {
    for (const char* text :
         {"gpu-01:", "gpu-01:ssh", "gpu-01:0", "gpu-01:65536", "gpu-01:22x", "gpu-01:-1"}) {
        const auto node = withHost({}, text);
        ASSERT_FALSE(node) << text;
        EXPECT_THAT(node.error().what, HasSubstr("is no port"));
    }
    for (const char* text : {"me@", "[]", ":22", "me@:22"}) {
        const auto node = withHost({}, text);
        ASSERT_FALSE(node) << text;
        EXPECT_THAT(node.error().what, HasSubstr("names no host"));
    }
    for (const auto& [text, odd] :
         {std::pair{"gpu 1", "\"gpu 1\": a space"}, std::pair{"a,b:22", "\"a,b\": a comma"},
          std::pair{"-l@gpu", "\"-l\": a dash"}, std::pair{"'gpu'", "a quotation mark"},
          std::pair{"a\\b", "a backslash"}, std::pair{"gp\u00FC", "beyond ASCII"},
          std::pair{"gpu\t1", "a control character"}}) {
        const auto node = withHost({}, text);
        ASSERT_FALSE(node) << text;
        EXPECT_THAT(node.error().what, HasSubstr(odd));
        EXPECT_THAT(node.error().remedy, HasSubstr("user@host:port"));
    }
}

}  // namespace
}  // namespace dlperf::cluster
