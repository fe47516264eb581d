// SPDX-License-Identifier: Apache-2.0
// One thread that reads files for the window, so that the window never waits.
#pragma once

#include <QObject>
#include <QPointer>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace dlperf::ui {

class Background {
public:
    using Task = std::function<void()>;

    Background();
    // Ends after the task that runs now; tasks that wait are dropped.
    ~Background() = default;

    // Tasks run one after the other, in order.
    void post(Task task);
    // Runs `work` there and hands its value to `done` on the thread that made this object, unless the
    // receiver is gone by then.
    template <class Work, class Done>
    void ask(QObject* receiver, Work work, Done done);
    // Long work looks at it now and then.
    [[nodiscard]] std::stop_token stopping() const { return thread_.get_stop_token(); }

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Task> tasks_;
    QObject home_;         // answers arrive here; a receiver may go at any time
    std::jthread thread_;  // last: it ends before what it uses
};

template <class Work, class Done>
void Background::ask(QObject* receiver, Work work, Done done) {
    post([this, guard = QPointer<QObject>(receiver), work = std::move(work), done = std::move(done)]() {
        QMetaObject::invokeMethod(
            &home_,
            [guard, done, answer = work()]() {
                if (guard) {
                    done(answer);
                }
            },
            Qt::QueuedConnection);
    });
}

}  // namespace dlperf::ui
