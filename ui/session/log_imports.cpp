// SPDX-License-Identifier: Apache-2.0
#include "ui/session/log_imports.h"

#include <utility>

#include "core/analysis/format_json.h"
#include "core/measure/own_formats.h"
#include "ui/session/background.h"

namespace dlperf::ui {
namespace {

constexpr int pollMilliseconds = 100;

// Where it takes its time: an archive may have held thousands of logs.
void clearStaging(imports::ImportPlan& plan) {
    const imports::Staging gone = std::move(plan.staging);
}

// The names of those that the workspace did not know.
Result<QStringList> addTo(const store::Workspace& workspace, const std::filesystem::path& file) {
    const auto formats = TRY(analysis::readNewFormats(file));
    const auto added = TRY(measure::keepFormats(workspace, formats, file.string()));
    QStringList names;
    for (const std::string& name : added) {
        names << QString::fromStdString(name);
    }
    return names;
}

}  // namespace

LogImports::LogImports(const store::Workspace& workspace, const Vocabulary& vocabulary,
                       Background& background, QObject* parent)
    : QObject(parent),
      workspace_(workspace),
      vocabulary_(vocabulary),
      background_(background),
      moved_(std::make_shared<Moved>()) {
    timer_.setInterval(pollMilliseconds);
    connect(&timer_, &QTimer::timeout, this, [this] { emit moved(moved_->stage, moved_->percent); });
}

void LogImports::begin() {
    if (running_++ == 0) {
        stop_ = std::stop_source();
    }
    timer_.start();
}

imports::OnProgress LogImports::progressNote() const {
    return [moved = moved_](const imports::Progress& progress) {
        moved->stage = progress.stage;
        moved->percent = imports::percentOf(progress);
    };
}

void LogImports::importLogs(const std::filesystem::path& path) {
    begin();
    background_.ask(
        this,
        [path, workspace = workspace_, &vocabulary = vocabulary_, stop = stop_.get_token(),
         onProgress = progressNote()] {
            const auto formats = measure::readFormats(workspace);
            imports::ImportOptions options;
            options.formats = formats.value_or(analysis::FormatBook());
            return formats ? imports::planImport(path, workspace, vocabulary, options, stop, onProgress)
                           : Result<imports::ImportPlan>(Failure(formats.error()));
        },
        [this](Result<imports::ImportPlan> plan) {
            end();
            if (!plan) {
                emit refused(plan.error());
                return;
            }
            const auto shared = std::make_shared<imports::ImportPlan>(std::move(*plan));
            if (stop_.stop_requested()) {
                forget(shared);
                return;
            }
            const bool isAllThere = shared->count(imports::Verdict::Duplicate) == shared->proposals.size();
            if (isAllThere) {  // nothing to decide: saving says so
                save(shared);
            } else {
                undecided_.push_back(shared);
                emit planned(shared);
            }
        },
        [this] { end(); });
}

// Behind one import, before the next.
void LogImports::addFormats(const std::filesystem::path& file) {
    background_.write(
        this, [file, workspace = workspace_] { return addTo(workspace, file); },
        [this](const Result<QStringList>& added) {
            emit changed();
            if (added) {
                emit formatsAdded(*added);
            } else {
                emit refused(added.error());
            }
        });
}

void LogImports::save(const std::shared_ptr<imports::ImportPlan>& plan) {
    std::erase(undecided_, plan);
    begin();
    background_.ask(
        this,
        [plan, workspace = workspace_, &vocabulary = vocabulary_, stop = stop_.get_token(),
         onProgress = progressNote()] {
            auto result = imports::saveImport(*plan, workspace, vocabulary, stop, onProgress);
            clearStaging(*plan);
            return result;
        },
        [this](const Result<imports::Imported>& result) {
            end();
            emit changed();
            if (result) {
                emit imported(*result);
            } else {
                emit refused(result.error());
            }
        },
        [this] { end(); });
}

void LogImports::forget(const std::shared_ptr<imports::ImportPlan>& plan) {
    std::erase(undecided_, plan);
    background_.write(
        this,
        [plan] {
            clearStaging(*plan);
            return true;
        },
        [](bool) {});
    emit forgotten();
}

// ended() comes after what the import came to.
void LogImports::end() {
    if (--running_ == 0) {
        timer_.stop();
        QMetaObject::invokeMethod(this, &LogImports::ended, Qt::QueuedConnection);
    }
}

}  // namespace dlperf::ui
