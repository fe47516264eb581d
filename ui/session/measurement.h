// SPDX-License-Identifier: Apache-2.0
// `dlperf bench` as a process of the window: what it is at, and how it ended. One at a time.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/cluster/cluster.h"

namespace dlperf::ui {

class Measurement final : public QObject {
    Q_OBJECT

public:
    enum class Kind { Links, Computing, Reading };
    // Measured: or most of it; what is missing stands in the words then.
    enum class End { Measured, Cancelled, Failed };

    struct Wanted {
        QString program;
        std::filesystem::path workspace;
        cluster::Cluster cluster;
        std::string answers;  // to logins, as JSON; in memory only
        Kind kind = Kind::Links;
        QString folder{};  // to be read on every node; empty: each node's own
    };

    explicit Measurement(QObject* parent = nullptr);
    // Cancels it, and waits for its end: a little longer than trainers get for theirs.
    ~Measurement() override;
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    // Call only while none is running.
    [[nodiscard]] Result<void> start(const Wanted& wanted);
    [[nodiscard]] bool isRunning() const { return isRunning_; }
    [[nodiscard]] Kind kind() const { return kind_; }
    // What it said last; empty before it said anything.
    [[nodiscard]] const QString& progress() const { return progress_; }
    [[nodiscard]] bool isCancelled() const { return isCancelled_; }
    // May be called again where it goes on.
    void cancel();

signals:
    // It began, said something, is to be cancelled, or has ended.
    void changed();
    // The words are the program's, a line each; it speaks the window's language as far as it can.
    void ended(dlperf::ui::Measurement::End end, const QStringList& words);

private:
    void readOutput();
    void readErrors();
    void take(const QString& line);
    void end(const QString& whyNot);

    QProcess process_;
    std::optional<TemporaryFolder> input_;  // the list of nodes
    Kind kind_ = Kind::Links;
    QString progress_;
    QStringList problems_;
    QByteArray rest_;  // of a line that is not whole
    bool isRunning_ = false;
    bool isCancelled_ = false;
    bool hasPrinted_ = false;  // its tables, which come with figures
};

}  // namespace dlperf::ui
