// SPDX-License-Identifier: Apache-2.0
// A user who cancels every question for a password.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/remote/credentials.h"

namespace dlperf::ui::test {

class RefusedLogin {
public:
    RefusedLogin() = default;
    RefusedLogin(const RefusedLogin&) = delete;
    RefusedLogin& operator=(const RefusedLogin&) = delete;

    [[nodiscard]] const std::shared_ptr<remote::CredentialCache>& credentials() const { return credentials_; }
    // Whether a login shows the question.
    [[nodiscard]] bool asks() {
        (void)credentials_->secret("password", {}, {}, {});
        return std::exchange(asked_, false);
    }

private:
    bool asked_ = false;
    std::shared_ptr<remote::CredentialCache> credentials_ =
        std::make_shared<remote::CredentialCache>(remote::AuthCallbacks{
            .prompts = [this](const auto&, const auto&) -> std::optional<std::vector<std::string>> {
                asked_ = true;
                return {};
            },
            .hostKey = {}});
};

}  // namespace dlperf::ui::test
