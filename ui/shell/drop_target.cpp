// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/drop_target.h"

#include <QCoreApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/import/unpack.h"
#include "core/report/finding.h"
#include "ui/session/background.h"
#include "ui/session/log_imports.h"
#include "ui/session/session.h"
#include "ui/shell/window_memory.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* whatCanBe =
    "Drop a plan, a cluster or log formats (.json), a folder or an archive of logs, one log of it, or a "
    "workspace.";

Result<Dropped> judgeFolder(const fs::path& path) {
    return Dropped{folderKind(QString::fromStdString(path.string())) == FolderKind::Workspace
                       ? DroppedKind::Workspace
                       : DroppedKind::Logs,
                   path};
}

// A row of the table of formats or a list of them, even a wrong one: its reader reports that.
bool isFormats(const Json& json) {
    const auto isRow = [](const Json& one) {
        return one.is_object() && (one.contains("lines") || one.contains("rule"));
    };
    return isRow(json) || (json.is_array() && std::any_of(json.begin(), json.end(), isRow));
}

Result<Dropped> judgeJson(const fs::path& path) {
    const auto json = TRY(readJsonFile(path));
    if (json.is_object() && json.contains("recipes")) {
        return Dropped{DroppedKind::Plan, path};
    }
    if (json.is_object() && json.contains("nodes")) {
        return Dropped{DroppedKind::Cluster, path};
    }
    if (isFormats(json)) {
        return Dropped{DroppedKind::Formats, path};
    }
    return fail("this is no plan, no cluster and no log format", path.string(), whatCanBe);
}

// The context of the texts, for translators.
struct StageText {
    Q_DECLARE_TR_FUNCTIONS(StageText)
};

constexpr std::size_t mostRemarks = 5;  // of them in the banner

// In the order of imports::Stage.
QString stageText(imports::Stage stage) {
    const std::array<QString, 4> words{StageText::tr("unpacking them"), StageText::tr("reading them"),
                                       StageText::tr("saving them"),
                                       StageText::tr("waiting for another import")};
    return words.at(static_cast<std::size_t>(stage));
}

}  // namespace

Result<Dropped> judgeDropped(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return judgeFolder(path);
    }
    if (!fs::is_regular_file(path, error)) {
        return fail("this cannot be opened", path.string(), whatCanBe);
    }
    if (path.extension() == ".json") {
        return judgeJson(path);
    }
    if (path.extension() == ".log") {
        return Dropped{DroppedKind::Logs, path.parent_path()};
    }
    if (imports::isArchive(path)) {
        return Dropped{DroppedKind::Logs, path};
    }
    return fail("this is no plan, cluster or log", path.string(), whatCanBe);
}

DropTarget::DropTarget(Session& session, QObject* parent) : QObject(parent), session_(session) {}

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
    // Formats before the logs that may be of them.
    for (const bool isJson : {true, false}) {
        for (const std::filesystem::path& path : paths) {
            if ((path.extension() == ".json") == isJson) {
                open(path);
            }
        }
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
        case DroppedKind::Formats:
            session_.logImports().addFormats(dropped.path);
            break;
        case DroppedKind::Logs:
            session_.logImports().importLogs(dropped.path);
            break;
    }
}

ImportNotice::ImportNotice(LogImports& imports, const DropTarget& target, Banner& banner, QObject* parent)
    : QObject(parent), imports_(imports), banner_(banner) {
    connect(&imports_, &LogImports::moved, this, &ImportNotice::showProgress);
    connect(&imports_, &LogImports::planned, &banner_, &Banner::hide);
    connect(&imports_, &LogImports::imported, this, &ImportNotice::showEnd);
    connect(&imports_, &LogImports::formatsAdded, this, &ImportNotice::addFormats);
    connect(&imports_, &LogImports::forgotten, this, &ImportNotice::showFormats);
    connect(&imports_, &LogImports::refused, this, &ImportNotice::showRefusal);
    connect(&target, &DropTarget::refused, this, &ImportNotice::showRefusal);
    connect(&banner_, &Banner::closed, this, [this] { formats_.clear(); });
    connect(&banner_, &Banner::actionTriggered, this, [this] {
        if (imports_.isImporting()) {
            imports_.cancel();
            return;
        }
        banner_.hide();
        emit resultsRequested(import_);
    });
}

void ImportNotice::takeOver(const ImportNotice& other) {
    if (other.shown_ && !other.banner_.isHidden() && !imports_.isImporting()) {
        other.shown_(*this);
    }
}

void ImportNotice::showRefusal(const Error& error) {
    if (imports_.isImporting()) {
        emit errorFound(error);  // the banner shows the import
        return;
    }
    if (!formats_.isEmpty()) {
        emit errorFound(error);
        showFormats();
        return;
    }
    shown_ = [error](ImportNotice& notice) { notice.showRefusal(error); };
    banner_.showError(error);
}

void ImportNotice::showProgress(imports::Stage stage, int percent) {
    const QString text = stage == imports::Stage::Waiting ? stageText(stage)
                                                          : tr("%1: %2 %").arg(stageText(stage)).arg(percent);
    banner_.showMessage("info", tr("Importing logs …"), text, {}, tr("Cancel"));
    banner_.setClosable(false);
}

void ImportNotice::showEnd(const imports::Imported& imported) {
    shown_ = [imported, formats = formats_](ImportNotice& notice) {
        notice.formats_ = formats;
        notice.showEnd(imported);
    };
    import_ = QString::fromStdString(imported.name);
    QString why =
        tr("They stand in logs/imported-%1 now, and in Compare.").arg(QString::fromStdString(imported.name));
    if (imported.withoutFigure > 0) {
        why += QLatin1Char(' ') +
               (imported.withoutFigure == 1
                    ? tr("1 has no figure in its measurement range.")
                    : tr("%1 have no figure in their measurement ranges.").arg(imported.withoutFigure));
    }
    if (!formats_.isEmpty()) {
        why += QLatin1Char(' ') + formatsText();
        formats_.clear();
    }
    std::vector<std::string> remarks;
    std::ranges::transform(imported.problems, std::back_inserter(remarks), describe);
    for (const RunFinding& finding : imported.findings) {
        remarks.push_back(finding.where + ": " + report::withWhy(finding.kind, finding.what));
    }
    for (std::size_t i = 0; i < std::min(remarks.size(), mostRemarks); ++i) {
        why += QLatin1Char('\n') + QString::fromStdString(remarks[i]);
    }
    if (remarks.size() > mostRemarks) {
        why += QLatin1Char('\n') + tr("and %1 more remarks").arg(remarks.size() - mostRemarks);
    }
    const QString formats = QString::fromStdString(join(imported.formats, ", "));
    banner_.showMessage(remarks.empty() && imported.withoutFigure == 0 ? "ok" : "warn",
                        imported.logs == 1
                            ? tr("1 log was imported (%1).").arg(formats)
                            : tr("%1 logs were imported (%2).").arg(imported.logs).arg(formats),
                        why, {}, tr("Show in Compare"));
}

void ImportNotice::addFormats(const QStringList& names) {
    formats_ << names;
    if (imports_.isImporting()) {
        return;  // the banner shows the import
    }
    if (names.isEmpty()) {
        shown_ = [](ImportNotice& notice) { notice.addFormats({}); };
        banner_.showMessage("info", tr("The workspace knows all of these log formats already."), {});
    } else {
        showFormats();
    }
}

void ImportNotice::showFormats() {
    if (!formats_.isEmpty()) {
        shown_ = [formats = formats_](ImportNotice& notice) { notice.addFormats(formats); };
        banner_.showMessage(
            "ok", formatsText(),
            tr("Their logs are recognised when they are imported. They stand in the workspace's "
               "formats.json."));
    }
}

QString ImportNotice::formatsText() const {
    return tr("Log formats added: %1.").arg(formats_.join(QStringLiteral(", ")));
}

}  // namespace dlperf::ui
