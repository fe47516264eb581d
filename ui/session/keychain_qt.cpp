// SPDX-License-Identifier: Apache-2.0
// By QtKeychain: Secret Service (GNOME, KeePassXC) or KWallet, whichever the desktop has.
#include <qt6keychain/keychain.h>

#include <QPointer>

#include "ui/session/keychain.h"

namespace dlperf::ui {
namespace {

QString service() {
    return QStringLiteral("dlperf-dashboard");
}

class DesktopKeychain final : public Keychain {
public:
    void read(QObject* receiver, const std::string& id, const Done& done) override {
        auto* job = new QKeychain::ReadPasswordJob(service());
        begin(job, receiver, id, [job, done] {
            if (job->error() == QKeychain::NoError) {
                done({job->textData().toStdString(), {}});
            } else {
                done({{}, job->error() == QKeychain::EntryNotFound ? QString() : job->errorString()});
            }
        });
    }
    void keep(QObject* receiver, const std::string& id, const std::string& secret,
              const Done& done) override {
        auto* job = new QKeychain::WritePasswordJob(service());
        job->setTextData(QString::fromStdString(secret));
        begin(job, receiver, id, [job, done] {
            done({{}, job->error() == QKeychain::NoError ? QString() : job->errorString()});
        });
    }
    // That it is not there is as good.
    void forget(const std::string& id) override {
        begin(new QKeychain::DeletePasswordJob(service()), nullptr, id, [] {});
    }

private:
    template <class Finish>
    static void begin(QKeychain::Job* job, QObject* receiver, const std::string& id, const Finish& finish) {
        job->setInsecureFallback(false);  // never a plain file
        job->setKey(QString::fromStdString(id));
        QObject::connect(job, &QKeychain::Job::finished, job,
                         [finish, guard = QPointer<QObject>(receiver), wanted = receiver != nullptr] {
                             if (!wanted || guard) {
                                 finish();
                             }
                         });
        job->start();  // it deletes itself
    }
};

}  // namespace

std::unique_ptr<Keychain> desktopKeychain() {
    return std::make_unique<DesktopKeychain>();
}

}  // namespace dlperf::ui
