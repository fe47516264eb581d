// SPDX-License-Identifier: Apache-2.0
// Files and folders that are dropped on the window: each goes where it belongs.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "core/base/error.h"
#include "core/import/import_logs.h"

class QDropEvent;

namespace dlperf::ui {

class Session;

// What a file or folder is that was dropped on the window: judged by what it holds, not by its name.
enum class DroppedKind { Plan, Cluster, Workspace, Formats, Logs };

struct Dropped {
    DroppedKind kind = DroppedKind::Logs;
    std::filesystem::path path;  // for logs: a folder, also where a log of it was dropped
};

// Reads a little of it: call it off the GUI thread. An Input error says what could be dropped instead.
[[nodiscard]] Result<Dropped> judgeDropped(const std::filesystem::path& path);

class DropTarget final : public QObject {
    Q_OBJECT

public:
    explicit DropTarget(Session& session, QObject* parent = nullptr);
    ~DropTarget() override { stop_.request_stop(); }

    [[nodiscard]] static bool accepts(const QDropEvent& event);
    void take(const QDropEvent& event);
    void open(const std::filesystem::path& path);
    // Of a folder too that has been a workspace.
    void importLogs(const std::filesystem::path& path);

    [[nodiscard]] bool isImporting() const { return running_ > 0; }
    void cancelImport() { stop_.request_stop(); }
    void save(const std::shared_ptr<imports::ImportPlan>& plan);
    void forget(const std::shared_ptr<imports::ImportPlan>& plan);

signals:
    void planDropped(const std::filesystem::path& file);
    void clusterDropped(const std::filesystem::path& file);
    void workspaceDropped(const std::filesystem::path& folder);
    void importMoved(dlperf::imports::Stage stage, int percent);
    // Logs were found: nothing is saved unless the user says so.
    void planned(const std::shared_ptr<dlperf::imports::ImportPlan>& plan);
    void imported(const dlperf::imports::Imported& imported);
    // The workspace knows these formats of the user's own now; none: it knew all of them.
    void formatsAdded(const QStringList& names);
    void forgotten();
    // What was dropped cannot be used, or an import came to nothing.
    void refused(const dlperf::Error& error);

private:
    void go(const Dropped& dropped);
    void addFormats(const std::filesystem::path& file);
    void begin();
    [[nodiscard]] imports::OnProgress progressNote() const;
    void end();

    Session& session_;
    // Written where the logs are copied, read by a timer here: this object may go meanwhile.
    struct Moved {
        std::atomic<imports::Stage> stage = imports::Stage::Reading;
        std::atomic<int> percent = 0;
    };
    std::shared_ptr<Moved> moved_;
    QTimer timer_;
    std::stop_source stop_;
    int running_ = 0;
};

class Banner;

// Shows the progress and the result of an import of logs.
class ImportNotice final : public QObject {
    Q_OBJECT

public:
    ImportNotice(DropTarget& target, Banner& banner, QObject* parent = nullptr);

signals:
    void resultsRequested(const QString& import);
    // Something was refused while the banner shows an import.
    void errorFound(const dlperf::Error& error);

private:
    void showProgress(imports::Stage stage, int percent);
    void showEnd(const imports::Imported& imported);
    void addFormats(const QStringList& names);
    void showFormats();
    [[nodiscard]] QString formatsText() const;

    DropTarget& target_;
    Banner& banner_;
    QString import_;       // the latest one
    QStringList formats_;  // that were added, until the import ends or the user closes the banner
};

}  // namespace dlperf::ui
