// SPDX-License-Identifier: Apache-2.0
// A Qt Test program that tells, after each test, the longest time that any one event held the GUI thread.
// It only tells: a busy machine is no reason to fail.
#pragma once

#include <QApplication>
#include <QObject>
#include <QString>
#include <QtTest>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace dlperf::ui::test {

// What is told on a line of its own: it may take longer than an event may.
enum class Apart { No, StartUp, PictureExport };

class WatchedApplication final : public QApplication {
public:
    WatchedApplication(int& argc, char** argv);
    ~WatchedApplication() override;

    bool notify(QObject* receiver, QEvent* event) override;

    void setApart(Apart apart) { apart_ = apart; }
    Apart apart() const { return apart_; }

private:
    struct Hold {
        std::chrono::nanoseconds wall{};
        std::chrono::nanoseconds processor{};  // what of it this thread computed; the rest it waited
        QEvent::Type type = QEvent::None;
        const char* receiverClass = "";  // not the receiver: it may be gone after its event
        QString receiverName;

        void tell(const char* what, const QString& test) const;
    };
    class Measured;
    void take(const Hold& hold);
    // The test that runs now; what was held in the one before it is told and forgotten.
    void turnTo(const QString& test);

    QString test_;
    Apart apart_ = Apart::No;
    std::array<Hold, 3> longest_;  // by Apart
    Hold longestOfAll_;
    QString longestTest_;
    Measured* current_ = nullptr;
};

// As long as this lives, what holds the thread counts as start-up or as a picture's export.
class ApartScope {
public:
    explicit ApartScope(Apart apart)
        : application_(dynamic_cast<WatchedApplication*>(QCoreApplication::instance())),
          before_(application_ ? application_->apart() : Apart::No) {
        if (application_) {
            application_->setApart(apart);
        }
    }
    ~ApartScope() {
        if (application_) {
            application_->setApart(before_);
        }
    }
    ApartScope(const ApartScope&) = delete;
    ApartScope& operator=(const ApartScope&) = delete;
    ApartScope(ApartScope&&) = delete;
    ApartScope& operator=(ApartScope&&) = delete;

private:
    WatchedApplication* application_;
    Apart before_;
};

using TestClasses = std::map<std::string, std::function<std::unique_ptr<QObject>()>>;

// By name. The program has all of them; its first argument names the one to run.
TestClasses& testClasses();

template <class Test>
bool registerTest(const char* name) {
    return testClasses().emplace(name, [] { return std::make_unique<Test>(); }).second;
}

}  // namespace dlperf::ui::test

// In place of QTEST_MAIN, in namespace dlperf::ui.
#define DLPERF_UI_TEST(Test) \
    [[maybe_unused]] static const bool registered##Test = dlperf::ui::test::registerTest<Test>(#Test)
