// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include <gtest/gtest.h>

#include "core/base/printed_json.h"

namespace dlperf {
namespace {

TEST(Errors, SayWhatWhereAndRemedy) {
    EXPECT_EQ(describe({"the plan has no recipes", "plan.json", "Name one.", ErrorKind::Input}),
              "plan.json: the plan has no recipes. Name one.");
    EXPECT_EQ(describe({"it broke", "", "", ErrorKind::Work}), "it broke");
    EXPECT_EQ(exitCode({"", "", "", ErrorKind::Input}), 2);
    EXPECT_EQ(exitCode({"", "", "", ErrorKind::Work}), 1);
    EXPECT_EQ(exitCode({"", "", "", ErrorKind::Transient}), 1);
}

TEST(ParseJson, NamesThePlace) {
    const auto broken = parseJson("{\"a\": 1,\n \"b\": }", "plan.json");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().where, "plan.json");
    EXPECT_EQ(broken.error().what, "is not valid JSON");
    EXPECT_NE(broken.error().details.find("line 2"), std::string::npos) << broken.error().details;
    EXPECT_EQ(describe(broken.error()),
              "plan.json: is not valid JSON: " + broken.error().details + ". " + broken.error().remedy);
    EXPECT_FALSE(parseJson("", "x"));
    EXPECT_FALSE(parseJson("{\"a\": \"\xFF\"}", "x"));
    EXPECT_FALSE(parseJson("{} // no comments", "x"));
    EXPECT_EQ(parseJson("[1, 2]", "x").value().size(), 2U);
}

TEST(ReadJson, FallsBackForWhatIsMissing) {
    const Json json =
        Json::parse(R"({"name": "lab", "count": 3, "on": true, "list": ["a", "b"], "sizes": [1, 2]})");
    JsonReader reader(json, "x");
    EXPECT_EQ(reader.text("name"), "lab");
    EXPECT_EQ(reader.text("missing", "none"), "none");
    EXPECT_EQ(reader.integer("count", 7, 1, 9), 3);
    EXPECT_EQ(reader.integer("missing", 7, 1, 9), 7);
    EXPECT_TRUE(reader.flag("on", false));
    EXPECT_EQ(reader.texts("list"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(reader.integers("sizes", 1, 2), (std::vector<int>{1, 2}));
    EXPECT_EQ(reader.error(), nullptr);
}

TEST(ReadJson, TheFirstErrorNamesTheField) {
    const Json json =
        Json::parse(R"({"count": 30, "name": 5, "sizes": [0], "big": 99999999999, "half": 1.5})");
    const auto errorOf = [&](auto read) {
        JsonReader reader(json, "file.json");
        read(reader);
        return reader.error() == nullptr ? std::string() : reader.error()->what;
    };
    EXPECT_NE(errorOf([](JsonReader& r) { (void)r.integer("count", 1, 1, 9); }).find("\"count\""),
              std::string::npos);
    EXPECT_NE(errorOf([](JsonReader& r) { (void)r.integer("big", 1, 1, 9); }).find("\"big\""),
              std::string::npos);
    EXPECT_NE(errorOf([](JsonReader& r) { (void)r.integer("half", 1, 1, 9); }).find("\"half\""),
              std::string::npos);
    EXPECT_NE(errorOf([](JsonReader& r) { (void)r.text("name"); }).find("\"name\""), std::string::npos);
    EXPECT_NE(errorOf([](JsonReader& r) { (void)r.integers("sizes", 1, 9); }).find("\"sizes\""),
              std::string::npos);
    EXPECT_NE(errorOf([](JsonReader& r) { (void)r.requiredText("title"); }).find("\"title\""),
              std::string::npos);
    EXPECT_NE(errorOf([](JsonReader& r) {
                  r.refuseOthers({"count", "name", "sizes", "big"});
              }).find("\"half\""),
              std::string::npos);
    EXPECT_EQ(errorOf([](JsonReader& r) {
                  (void)r.text("name");
                  (void)r.requiredText("title");
              }),
              "\"name\" must be a text");
}

TEST(ReadJson, WhatIsNoObjectIsAnError) {
    const Json list = Json::array();
    JsonReader reader(list, "x");
    EXPECT_NE(reader.error(), nullptr);
    EXPECT_EQ(reader.text("name", "none"), "none");
    reader.refuseOthers({});
}

TEST(Json, IsPrintedExactlyAndNoTerminalObeysIt) {
    const Json json{{"name", "a\u202Eb\x7F\u0085\u2066\u2028\n \u00E9 \u6570\u636E \U0001F600"}};
    const std::string printed = printedJson(json);
    EXPECT_EQ(printed,
              "{\n \"name\": \"a\\u202eb\\u007f\\u0085\\u2066\\u2028\\n \u00E9 \u6570\u636E "
              "\U0001F600\"\n}");
    EXPECT_EQ(Json::parse(printed), json);
    EXPECT_EQ(printedJson({{"a", "\xFF"}}, -1), "{\"a\":\"\uFFFD\"}");
}

}  // namespace
}  // namespace dlperf
