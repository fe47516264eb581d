// SPDX-License-Identifier: Apache-2.0
// What the user has answered to logins, to be handed to another program of his that works on: the window's
// runner, which has nobody to ask. Secrets in plain text: it goes through memory, never into a file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace dlperf::remote {

struct GivenAnswers {
    std::map<std::string, std::string> secrets;  // by what they are for, as SshAnswers names it
    std::set<std::string> trusted;               // host keys, for as long as the programs live

    [[nodiscard]] bool empty() const { return secrets.empty() && trusted.empty(); }
};

[[nodiscard]] std::string toJson(const GivenAnswers& answers);
// An Input error when it is something else; what was read is not repeated in it.
[[nodiscard]] Result<GivenAnswers> givenAnswersFromJson(std::string_view text);

}  // namespace dlperf::remote
