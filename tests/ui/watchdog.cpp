// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/watchdog.h"

#include <QMetaEnum>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <cstdio>
#include <utility>

namespace dlperf::ui::test {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::nanoseconds processorTime() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

double milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

QString testNow() {
    const char* function = QTest::currentTestFunction();
    const char* tag = QTest::currentDataTag();
    QString name = function ? QString::fromUtf8(function) : QStringLiteral("no test");
    return tag ? name + QLatin1Char(':') + QString::fromUtf8(tag) : name;
}

}  // namespace

void WatchedApplication::Hold::tell(const char* what, const QString& test) const {
    const char* event = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    std::printf("HOLD   : %s %.1f ms (%.1f ms of it computing) in %s: %s to %s %s\n", what,
                milliseconds(wall), milliseconds(processor), qPrintable(test), event ? event : "event",
                receiverClass, qPrintable(receiverName));
    std::fflush(stdout);
}

// One event that came from the event loop or from the test; events that its handler sends are part of it.
class WatchedApplication::Measured {
public:
    Measured(WatchedApplication& application, const QObject& receiver, QEvent::Type type)
        : application_(application),
          outer_(std::exchange(application.current_, this)),
          loopLevel_(QThread::currentThread()->loopLevel()),
          hold_{{}, {}, type, receiver.metaObject()->className(), receiver.objectName()},
          processor_(processorTime()),
          begin_(Clock::now()) {
        if (outer_) {
            outer_->waits_ = true;
        }
    }
    ~Measured() {
        hold_.wall = Clock::now() - begin_;
        hold_.processor = processorTime() - processor_;
        application_.current_ = outer_;
        if (!waits_) {  // else it ran a loop of its own, as a modal dialog does: its events were measured
            application_.take(hold_);
        }
    }
    Measured(const Measured&) = delete;
    Measured& operator=(const Measured&) = delete;
    Measured(Measured&&) = delete;
    Measured& operator=(Measured&&) = delete;

    int loopLevel() const { return loopLevel_; }

private:
    WatchedApplication& application_;
    Measured* outer_;
    int loopLevel_;
    bool waits_ = false;
    Hold hold_;
    std::chrono::nanoseconds processor_;
    Clock::time_point begin_;
};

WatchedApplication::WatchedApplication(int& argc, char** argv) : QApplication(argc, argv) {}

WatchedApplication::~WatchedApplication() {
    turnTo({});
    if (!longestTest_.isEmpty()) {
        longestOfAll_.tell("longest of all", longestTest_);
    }
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
    if (QThread::currentThread() != thread()) {
        return QApplication::notify(receiver, event);
    }
    if (current_ && QThread::currentThread()->loopLevel() <= current_->loopLevel()) {
        return QApplication::notify(receiver, event);
    }
    const Measured measured(*this, *receiver, event->type());
    return QApplication::notify(receiver, event);
}

void WatchedApplication::take(const Hold& hold) {
    turnTo(testNow());
    Hold& longest = longest_[static_cast<std::size_t>(apart_)];
    if (hold.wall > longest.wall) {
        longest = hold;
    }
    if (apart_ == Apart::No && hold.wall > longestOfAll_.wall) {
        longestOfAll_ = hold;
        longestTest_ = test_;
    }
}

void WatchedApplication::turnTo(const QString& test) {
    if (test == test_) {
        return;
    }
    const std::array<const char*, 3> words{"longest", "start-up", "picture export"};
    for (std::size_t i = 0; i < longest_.size(); ++i) {
        if (longest_[i].wall.count() > 0) {
            longest_[i].tell(words[i], test_);
        }
    }
    longest_ = {};
    test_ = test;
}

TestClasses& testClasses() {
    static TestClasses classes;
    return classes;
}

}  // namespace dlperf::ui::test

int main(int argc, char** argv) {
    const auto& classes = dlperf::ui::test::testClasses();
    const auto found = argc > 1 ? classes.find(argv[1]) : classes.end();
    if (found == classes.end()) {
        std::fprintf(stderr, "Usage: test_ui CLASS [QTEST OPTIONS]; the classes are:\n");
        for (const auto& [name, make] : classes) {
            std::fprintf(stderr, "  %s\n", name.c_str());
        }
        return 2;
    }
    argv[1] = argv[0];
    --argc;
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QCoreApplication::setOrganizationName(QStringLiteral("dlperf-test"));
    const QTemporaryDir settings;  // the test's own
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    qputenv("DLPERF_RESOURCES", DLPERF_SOURCE_DIR "/resources");
    dlperf::ui::test::WatchedApplication application(argc, argv + 1);
    return QTest::qExec(found->second().get(), argc, argv + 1);
}
