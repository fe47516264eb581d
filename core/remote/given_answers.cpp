// SPDX-License-Identifier: Apache-2.0
#include "core/remote/given_answers.h"

#include <algorithm>

#include "core/base/json.h"

namespace dlperf::remote {

std::string toJson(const GivenAnswers& answers) {
    // What is no UTF-8 cannot be handed on: the other program does not know it then.
    return Json{{"secrets", answers.secrets}, {"trusted", answers.trusted}}.dump(
        -1, ' ', true, Json::error_handler_t::replace);
}

Result<GivenAnswers> givenAnswersFromJson(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    const auto isText = [](const Json& value) { return value.is_string(); };
    const bool good = json.is_object() && json.contains("secrets") && json["secrets"].is_object() &&
                      std::all_of(json["secrets"].begin(), json["secrets"].end(), isText) &&
                      json.contains("trusted") && json["trusted"].is_array() &&
                      std::all_of(json["trusted"].begin(), json["trusted"].end(), isText);
    if (!good) {
        return fail("what stands there are no answers to logins", "standard input",
                    "Leave --answers to the window; on a terminal you are asked.");
    }
    return GivenAnswers{json["secrets"].get<std::map<std::string, std::string>>(),
                        json["trusted"].get<std::set<std::string>>()};
}

}  // namespace dlperf::remote
