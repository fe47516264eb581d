// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/import_notice.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/report/finding.h"
#include "ui/shell/drop_target.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

constexpr std::size_t mostRemarks = 5;  // of them in the banner

QString stageText(imports::Stage stage) {
    switch (stage) {
        case imports::Stage::Unpacking:
            return ImportNotice::tr("unpacking them");
        case imports::Stage::Reading:
            return ImportNotice::tr("reading them");
        case imports::Stage::Saving:
            return ImportNotice::tr("saving them");
    }
    return {};
}

}  // namespace

ImportNotice::ImportNotice(DropTarget& target, Banner& banner, QObject* parent)
    : QObject(parent), target_(target), banner_(banner) {
    connect(&target_, &DropTarget::importMoved, this, &ImportNotice::showProgress);
    connect(&target_, &DropTarget::planned, &banner_, &Banner::hide);
    connect(&target_, &DropTarget::imported, this, &ImportNotice::showEnd);
    connect(&target_, &DropTarget::formatsAdded, this, &ImportNotice::addFormats);
    connect(&target_, &DropTarget::forgotten, this, &ImportNotice::showFormats);
    connect(&target_, &DropTarget::refused, this, [this](const Error& error) {
        if (target_.isImporting()) {
            emit errorFound(error);  // the banner shows the import
            return;
        }
        if (!formats_.isEmpty()) {
            emit errorFound(error);
            showFormats();
            return;
        }
        banner_.setClosable(true);
        banner_.showError(error);
    });
    connect(&banner_, &Banner::closed, this, [this] { formats_.clear(); });
    connect(&banner_, &Banner::actionTriggered, this, [this] {
        if (target_.isImporting()) {
            target_.cancelImport();
            return;
        }
        banner_.hide();
        emit resultsRequested(import_);
    });
}

void ImportNotice::showProgress(imports::Stage stage, int percent) {
    banner_.setClosable(false);
    banner_.showMessage("info", tr("Importing logs …"), tr("%1: %2 %").arg(stageText(stage)).arg(percent), {},
                        tr("Cancel"));
}

void ImportNotice::showEnd(const imports::Imported& imported) {
    import_ = QString::fromStdString(imported.name);
    banner_.setClosable(true);
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
    if (target_.isImporting()) {
        return;  // the banner shows the import
    }
    if (names.isEmpty()) {
        banner_.setClosable(true);
        banner_.showMessage("info", tr("The workspace knows all of these log formats already."), {});
    } else {
        showFormats();
    }
}

void ImportNotice::showFormats() {
    if (!formats_.isEmpty()) {
        banner_.setClosable(true);
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
