// SPDX-License-Identifier: Apache-2.0
// Threads that read files and ask machines for the window, so that the window never waits.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace dlperf::ui {

class Background {
public:
    using Task = std::function<void()>;
    using ErrorHandler = std::function<void(const QString& what)>;

    // One thread keeps the order of its tasks. A thread is begun when there is something for it.
    explicit Background(std::size_t mostThreads = 1);
    // Ends after the tasks that run now; those that wait are dropped, but for writes.
    ~Background() { stop_.request_stop(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // Called on the thread that made this object when work ended with an exception.
    void onError(ErrorHandler handler) { errorHandler_ = std::move(handler); }

    // Asks work that takes long to end early when this object goes.
    [[nodiscard]] std::stop_token stopToken() const { return stop_.get_token(); }

    // Runs `work` there and hands its value to `done` on the thread that made
    // this object, unless the receiver is gone by then. It is the receiver's to keep. `failed` is called
    // instead where the work threw.
    template <class Work, class Done>
    void ask(QObject* receiver, Work work, Done done, Task failed = {});

    // The same for what must not be lost: it is done even when this object goes.
    template <class Work, class Done>
    void write(QObject* receiver, Work work, Done done, Task failed = {});

private:
    struct Waiting {
        Task task;
        bool isWrite = false;
    };
    template <class Work, class Done>
    void begin(QObject* receiver, Work work, Done done, Task failed, bool isWrite);
    void post(Task task, bool isWrite);
    void work();
    void answer(const QPointer<QObject>& receiver, Task task);
    void fail(const QPointer<QObject>& receiver, Task failed, const char* what);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Waiting> tasks_;
    ErrorHandler errorHandler_;
    QObject home_;  // answers arrive here; a receiver may go at any time
    const std::size_t mostThreads_;
    std::size_t idle_ = 0;  // threads that wait for a task
    std::stop_source stop_;
    std::vector<std::jthread> threads_;  // last: they end before what they use
};

template <class Work, class Done>
void Background::ask(QObject* receiver, Work work, Done done, Task failed) {
    begin(receiver, std::move(work), std::move(done), std::move(failed), false);
}

template <class Work, class Done>
void Background::write(QObject* receiver, Work work, Done done, Task failed) {
    begin(receiver, std::move(work), std::move(done), std::move(failed), true);
}

template <class Work, class Done>
void Background::begin(QObject* receiver, Work work, Done done, Task failed, bool isWrite) {
    Task task = [this, guard = QPointer<QObject>(receiver), work = std::move(work), done = std::move(done),
                 failed = std::move(failed)]() {
        try {
            // A task is copied on its way; what it carries may be 10,000 results.
            answer(guard,
                   [done, value = std::make_shared<decltype(work())>(work())] { done(std::move(*value)); });
        } catch (const std::exception& error) {
            fail(guard, failed, error.what());
        } catch (...) {
            fail(guard, failed, "unknown exception");
        }
    };
    post(std::move(task), isWrite);
}

}  // namespace dlperf::ui
