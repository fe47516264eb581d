// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/drop_target.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <set>

#include "ui/session/background.h"
#include "ui/session/session.h"

namespace dlperf::ui {
namespace {

constexpr int pollMilliseconds = 100;

}  // namespace

DropTarget::DropTarget(Session& session, QObject* parent)
    : QObject(parent), session_(session), moved_(std::make_shared<Moved>()) {
    timer_.setInterval(pollMilliseconds);
    connect(&timer_, &QTimer::timeout, this, [this] { emit importMoved(moved_->stage, moved_->percent); });
}

DropTarget::~DropTarget() {
    stop_.request_stop();
}

bool DropTarget::accepts(const QDropEvent& event) {
    const QList<QUrl> urls = event.mimeData()->urls();
    return std::ranges::any_of(urls, [](const QUrl& url) { return url.isLocalFile(); });
}

void DropTarget::take(const QDropEvent& event) {
    // Several logs of one folder are one import.
    std::set<std::filesystem::path> paths;
    for (const QUrl& url : event.mimeData()->urls()) {
        const std::filesystem::path path = url.toLocalFile().toStdString();
        if (!path.empty()) {
            paths.insert(path.extension() == ".log" ? path.parent_path() : path);
        }
    }
    for (const std::filesystem::path& path : paths) {
        open(path);
    }
}

void DropTarget::open(const std::filesystem::path& path) {
    session_.background().ask(
        this, [path] { return judgeDropped(path); },
        [this](const Result<Dropped>& dropped) {
            if (dropped) {
                go(*dropped);
            } else {
                emit refused(dropped.error());
            }
        });
}

void DropTarget::go(const Dropped& dropped) {
    switch (dropped.kind) {
        case DroppedKind::Plan:
            emit planDropped(dropped.path);
            break;
        case DroppedKind::Cluster:
            emit clusterDropped(dropped.path);
            break;
        case DroppedKind::Workspace:
            emit workspaceDropped(dropped.path);
            break;
        case DroppedKind::Logs:
            importLogs(dropped.path);
            break;
    }
}

void DropTarget::importLogs(const std::filesystem::path& folder) {
    if (running_++ == 0) {
        stop_ = std::stop_source();
    }
    timer_.start();
    const auto onProgress = [moved = moved_](const imports::Progress& progress) {
        moved->stage = progress.stage;
        moved->percent = imports::percentOf(progress);
    };
    session_.importBackground().ask(
        this,
        [folder, workspace = session_.workspace(), &vocabulary = session_.vocabulary(),
         stop = stop_.get_token(),
         onProgress] { return imports::importLogs(folder, workspace, vocabulary, stop, onProgress); },
        [this](const Result<imports::Imported>& result) {
            end();
            session_.reload();
            if (result) {
                emit imported(*result);
            } else {
                emit refused(result.error());
            }
        },
        [this] { end(); });
}

void DropTarget::end() {
    if (--running_ == 0) {
        timer_.stop();
    }
}

void DropTarget::cancelImport() {
    stop_.request_stop();
}

}  // namespace dlperf::ui
