// SPDX-License-Identifier: Apache-2.0
// The desktop's keychain, for passphrases and passwords that the user wants to be kept there. Every call
// comes back at once; its answer comes on the window's thread, unless the receiver is gone by then. The
// desktop may ask the user to unlock it, which takes its time.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace dlperf::ui {

class Keychain {
public:
    struct Answer {
        std::optional<std::string> secret;
        QString unavailable;  // why there is no keychain; empty: there is one
    };
    using Done = std::function<void(const Answer&)>;

    Keychain() = default;
    virtual ~Keychain() = default;
    Keychain(const Keychain&) = delete;
    Keychain& operator=(const Keychain&) = delete;

    // `id`: what a secret is for, as PromptRequest names it. Nothing there is an answer without a secret.
    virtual void read(QObject* receiver, const std::string& id, const Done& done) = 0;
    // `unavailable` says why it was not kept.
    virtual void keep(QObject* receiver, const std::string& id, const std::string& secret,
                      const Done& done) = 0;
    virtual void forget(const std::string& id) = 0;
};

// The keychain of the desktop that the program runs on. Loads nothing before the first call.
[[nodiscard]] std::unique_ptr<Keychain> desktopKeychain();

}  // namespace dlperf::ui
