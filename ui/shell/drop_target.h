// SPDX-License-Identifier: Apache-2.0
// Files and folders that are dropped on the window: each goes where it belongs.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <functional>

#include "core/base/error.h"
#include "core/import/import_logs.h"

class QDropEvent;

namespace dlperf::ui {

class LogImports;
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

    [[nodiscard]] static bool accepts(const QDropEvent& event);
    void take(const QDropEvent& event);
    // Logs and formats go to the session's LogImports.
    void open(const std::filesystem::path& path);

signals:
    void planDropped(const std::filesystem::path& file);
    void clusterDropped(const std::filesystem::path& file);
    void workspaceDropped(const std::filesystem::path& folder);
    // What was dropped cannot be used.
    void refused(const dlperf::Error& error);

private:
    void go(const Dropped& dropped);

    Session& session_;
};

class Banner;

// Shows the progress and the result of an import of logs.
class ImportNotice final : public QObject {
    Q_OBJECT

public:
    // Tells of what the target refuses, too.
    ImportNotice(LogImports& imports, const DropTarget& target, Banner& banner, QObject* parent = nullptr);

    // What the notice of another window says, in the language of this one.
    void takeOver(const ImportNotice& other);

signals:
    void resultsRequested(const QString& import);
    // Something was refused while the banner shows an import.
    void errorFound(const dlperf::Error& error);

private:
    void showRefusal(const Error& error);
    void showProgress(imports::Stage stage, int percent);
    void showEnd(const imports::Imported& imported);
    void addFormats(const QStringList& names);
    void showFormats();
    [[nodiscard]] QString formatsText() const;

    LogImports& imports_;
    Banner& banner_;
    QString import_;       // the latest one
    QStringList formats_;  // that were added, until the import ends or the user closes the banner
    std::function<void(ImportNotice&)> shown_;  // shows what the banner says, unless that is a progress
};

}  // namespace dlperf::ui
