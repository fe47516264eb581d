// SPDX-License-Identifier: Apache-2.0
// Nobody is asked twice for the same, and whoever asks is bounded.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "core/remote/credentials.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using Answer = std::optional<std::vector<std::string>>;

const PromptRequest onePassword{.node = "a", .title = "t", .instruction = {}, .prompts = {{"p", false}}};
const Limits soon{60s, {}};

TEST(CredentialCache, OneAnswerIsForAllThatAskAtOnce) {
    std::atomic<int> asked = 0;
    CredentialCache cache({[&](const PromptRequest&, const Limits&) {
                               ++asked;
                               std::this_thread::sleep_for(50ms);  // others come meanwhile
                               return Answer{{"secret"}};
                           },
                           {}});
    std::atomic<int> good = 0;
    std::vector<std::jthread> nodes;
    for (int i = 0; i < 8; ++i) {
        nodes.emplace_back([&] { good += cache.secret("key", onePassword, {}, soon) == "secret" ? 1 : 0; });
    }
    nodes.clear();
    EXPECT_EQ(good, 8);
    EXPECT_EQ(asked, 1);
}

TEST(CredentialCache, AWrongOneIsAskedAnewAndARefusalIsNot) {
    std::vector<Answer> given{Answer{{"first"}}, Answer{{"second"}}, Answer{}, Answer{{"third"}}};
    std::size_t asked = 0;
    CredentialCache cache({[&](const PromptRequest&, const Limits&) { return given.at(asked++); }, {}});
    EXPECT_EQ(cache.secret("key", onePassword, {}, soon), "first");
    EXPECT_EQ(cache.secret("key", onePassword, "first", soon), "second");
    EXPECT_EQ(cache.secret("key", onePassword, "first", soon), "second") << "another node was late";
    EXPECT_EQ(asked, 2U);
    EXPECT_FALSE(cache.secret("other", onePassword, {}, soon));
    EXPECT_FALSE(cache.secret("other", onePassword, {}, soon));
    EXPECT_EQ(asked, 3U);
    cache.forgetRefusals();
    EXPECT_EQ(cache.secret("other", onePassword, {}, soon), "third");
}

TEST(CredentialCache, WhatWasGivenServesAnotherProgram) {
    CredentialCache asked({[](const PromptRequest&, const Limits&) { return Answer{{"s\"ec\nret\xFF"}}; },
                           [](const HostKeyRequest&, const Limits&) { return HostKeyDecision::TrustOnce; }});
    ASSERT_TRUE(asked.secret("key", onePassword, {}, soon));
    ASSERT_TRUE(asked.secret("key /ü", onePassword, {}, soon));
    const HostKeyRequest host{.node = "a", .host = "h", .type = "t", .fingerprint = "f", .file = {}};
    ASSERT_EQ(asked.hostKey(host, soon), HostKeyDecision::TrustOnce);
    const auto given = cachedCredentialsFromJson(toJson(asked.cached()));
    ASSERT_TRUE(given) << describe(given.error());
    CredentialCache alone({}, *given);
    EXPECT_EQ(alone.secret("key", onePassword, {}, soon), "s\"ec\nret\uFFFD") << "all that UTF-8 can say";
    EXPECT_TRUE(alone.secret("key /ü", onePassword, {}, soon));
    EXPECT_FALSE(alone.secret("other", onePassword, {}, soon));
    EXPECT_EQ(alone.hostKey(host, soon), HostKeyDecision::TrustOnce);
}

TEST(CredentialCache, NothingElseIsTakenForAnswers) {
    for (const char* text :
         {"", "secret", "[]", "{}", R"({"secrets": {}})", R"({"secrets": {"a": 1}, "trusted": []})",
          R"({"secrets": {}, "trusted": [1]})", R"({"secrets": [], "trusted": []})"}) {
        const auto given = cachedCredentialsFromJson(text);
        ASSERT_FALSE(given) << text;
        EXPECT_EQ(describe(given.error()).find("secret\""), std::string::npos);
    }
}

TEST(CredentialCache, ToWaitForAnothersQuestionEndsWithTheStop) {
    std::atomic<bool> open = false;
    CredentialCache cache({[&](const PromptRequest&, const Limits& limits) {
                               open = true;
                               while (!limits.stop.stop_requested()) {
                                   std::this_thread::sleep_for(1ms);
                               }
                               return Answer{};
                           },
                           {}});
    std::stop_source stop;
    std::jthread first([&] { EXPECT_FALSE(cache.secret("a", onePassword, {}, {60s, stop.get_token()})); });
    while (!open) {
        std::this_thread::yield();
    }
    std::stop_source second;
    std::jthread waiting([&] {
        EXPECT_FALSE(cache.secret("b", onePassword, {}, {60s, second.get_token()}));
    });
    second.request_stop();
    waiting.join();
    EXPECT_FALSE(cache.secret("c", onePassword, {}, {10ms, {}})) << "or at the deadline";
    stop.request_stop();
}

TEST(CredentialProvider, RemoteWordsAreCleanedAndBounded) {
    PromptRequest shown;
    const auto cache =
        std::make_shared<CredentialCache>(AuthCallbacks{[&](const PromptRequest& round, const Limits&) {
                                                            shown = round;
                                                            return Answer{{"x", "y"}};
                                                        },
                                                        {}});
    CredentialProvider credentials("far", cache, {}, [](bool) {});
    SshSettings settings;
    settings.user = "u";
    settings.host = "h";
    const auto given = credentials.prompts(settings, "\x1b[2J", "line\n\xFF\x07" + std::string(100'000, 'x'),
                                           {{"Code\r\n\x1b]0;title: ", true}, {"", false}});
    EXPECT_EQ(given, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(shown.title, "u@h asks: [2J");
    EXPECT_EQ(shown.instruction.substr(0, 5), "line\n");
    EXPECT_EQ(shown.instruction.find('\x07'), std::string::npos);
    EXPECT_LT(shown.instruction.size(), 1100U);
    EXPECT_EQ(shown.prompts.at(0).text, "Code   ]0;title:");
    EXPECT_TRUE(shown.prompts.at(0).echo);
    EXPECT_FALSE(credentials.prompts(settings, "", "", std::vector<Prompt>(1000)));
}

TEST(CredentialProvider, WithoutAUserEverythingIsRefused) {
    CredentialProvider credentials("far", {}, {}, [](bool) {});
    EXPECT_FALSE(credentials.passphrase("/k", {}));
    EXPECT_FALSE(credentials.password({}, {}));
    EXPECT_EQ(credentials.hostKey({}), HostKeyDecision::Refuse);
    EXPECT_FALSE(credentials.canPrompt());
}

}  // namespace
}  // namespace dlperf::remote
