// SPDX-License-Identifier: Apache-2.0
// Of a build without QtKeychain.
#include <QCoreApplication>

#include "ui/session/keychain.h"

namespace dlperf::ui {
namespace {

class NoKeychain final : public Keychain {
public:
    void read(QObject* /*receiver*/, const std::string& /*id*/, const Done& done) override {
        done({{}, why()});
    }
    void keep(QObject* /*receiver*/, const std::string& /*id*/, const std::string& /*secret*/,
              const Done& done) override {
        done({{}, why()});
    }
    void forget(const std::string& /*id*/) override {}

private:
    static QString why() {
        return QCoreApplication::translate("dlperf::ui::Keychain",
                                           "This build of the program was made without QtKeychain.");
    }
};

}  // namespace

std::unique_ptr<Keychain> desktopKeychain() {
    return std::make_unique<NoKeychain>();
}

}  // namespace dlperf::ui
