// SPDX-License-Identifier: Apache-2.0
// Imports of logs into the workspace, one after the other, and of formats that they may be of. They go on
// when another window takes the place of the one that asked.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/error.h"
#include "core/import/import_logs.h"
#include "core/model/vocabulary.h"
#include "core/store/workspace.h"

namespace dlperf::ui {

class Background;

class LogImports final : public QObject {
    Q_OBJECT

public:
    LogImports(const store::Workspace& workspace, const Vocabulary& vocabulary, Background& background,
               QObject* parent = nullptr);
    ~LogImports() override { stop_.request_stop(); }

    // Of a folder too that has been a workspace.
    void importLogs(const std::filesystem::path& path);
    void addFormats(const std::filesystem::path& file);

    [[nodiscard]] bool isImporting() const { return running_ > 0; }
    void cancel() { stop_.request_stop(); }
    void save(const std::shared_ptr<imports::ImportPlan>& plan);
    void forget(const std::shared_ptr<imports::ImportPlan>& plan);
    // What planned() told of and is neither saved nor forgotten.
    [[nodiscard]] const std::vector<std::shared_ptr<imports::ImportPlan>>& undecided() const {
        return undecided_;
    }

signals:
    void moved(dlperf::imports::Stage stage, int percent);
    // Logs were found: nothing is saved unless the user says so.
    void planned(const std::shared_ptr<dlperf::imports::ImportPlan>& plan);
    void imported(const dlperf::imports::Imported& imported);
    // The workspace knows these formats of the user's own now; none: it knew all of them.
    void formatsAdded(const QStringList& names);
    void forgotten();
    // An import came to nothing, or formats cannot be used.
    void refused(const dlperf::Error& error);
    // The workspace may hold something else now.
    void changed();
    // Nothing is imported any more.
    void ended();

private:
    void begin();
    [[nodiscard]] imports::OnProgress progressNote() const;
    void end();

    const store::Workspace& workspace_;
    const Vocabulary& vocabulary_;
    Background& background_;
    // Written where the logs are copied, read by a timer here: this object may go meanwhile.
    struct Moved {
        std::atomic<imports::Stage> stage = imports::Stage::Reading;
        std::atomic<int> percent = 0;
    };
    std::shared_ptr<Moved> moved_;
    QTimer timer_;
    std::stop_source stop_;
    int running_ = 0;
    std::vector<std::shared_ptr<imports::ImportPlan>> undecided_;
};

}  // namespace dlperf::ui
