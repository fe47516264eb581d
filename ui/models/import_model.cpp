// SPDX-License-Identifier: Apache-2.0
#include "ui/models/import_model.h"

#include <array>
#include <utility>

#include "core/base/text.h"
#include "ui/theme/icons.h"

namespace dlperf::ui {
namespace {

using imports::Proposal;

QString unknown() {
    return QStringLiteral("?");
}

QString textOr(const std::string& text) {
    return text.empty() ? unknown() : QString::fromStdString(text);
}

QString verdictText(const Proposal& proposal) {
    switch (proposal.verdict) {
        case imports::Verdict::New:
            return ImportModel::tr("new");
        case imports::Verdict::Duplicate:
            return ImportModel::tr("is there already");
        case imports::Verdict::NoFormat:
            return ImportModel::tr("unknown format");
        case imports::Verdict::Incomplete:
            return ImportModel::tr("incomplete");
    }
    return {};
}

QVariant signOf(const Proposal& proposal) {
    const bool wanted = proposal.verdict == imports::Verdict::New;
    const bool there = proposal.verdict == imports::Verdict::Duplicate;
    return QVariant::fromValue(wanted  ? icon(QStringLiteral("state-ok"), Ink::Ok)
                               : there ? icon(QStringLiteral("state-queued"), Ink::Idle)
                                       : icon(QStringLiteral("state-warn"), Ink::Warn));
}

}  // namespace

ImportModel::ImportModel(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary,
                         QObject* parent)
    : QAbstractTableModel(parent), plan_(std::move(plan)), vocabulary_(vocabulary) {}

int ImportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(plan_->proposals.size());
}

int ImportModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const Proposal& ImportModel::proposal(int row) const {
    return plan_->proposals[static_cast<std::size_t>(row)];
}

QVariant ImportModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Proposal& shown = proposal(index.row());
    if (role == Qt::DisplayRole) {
        return text(shown, index.column());
    }
    if (role == Qt::ToolTipRole) {
        const QString full =
            index.column() == Format ? QString::fromStdString(shown.why) : text(shown, index.column());
        return full.toHtmlEscaped();
    }
    if (role == Qt::DecorationRole && index.column() == Verdict) {
        return signOf(shown);
    }
    return {};
}

QString ImportModel::text(const Proposal& shown, int column) const {
    const Configuration& configuration = shown.configuration;
    switch (column) {
        case Log:
            return QString::fromStdString(shown.name);
        case Verdict:
            return verdictText(shown);
        case Format:
            return shown.format != nullptr ? QString::fromStdString(analysis::name(*shown.format))
                                           : unknown();
        case Framework:
            return textOr(vocabulary_.title(WordKind::Framework, configuration.framework));
        case Implementation:
            return textOr(vocabulary_.title(WordKind::Implementation, configuration.implementation));
        case Model:
            return textOr(vocabulary_.title(WordKind::Model, configuration.model));
        case Topology:
            return shown.topology ? QString::fromStdString(toString(*shown.topology)) : unknown();
        case BatchSize:
            return configuration.batchSize > 0 ? QString::number(configuration.batchSize) : unknown();
        case Precision:
            return textOr(configuration.precision);
        case Repetition:
            return shown.repetition ? QString::number(*shown.repetition) : tr("next free");
        case Remarks:
            return shown.sameAs.empty() ? QString::fromStdString(join(shown.notes, "; "))
                                        : QString::fromStdString(shown.sameAs);
        default:
            return {};
    }
}

QVariant ImportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount) {
        return {};
    }
    const std::array titles{tr("Log"),    tr("State"),    tr("Format"), tr("Framework"), tr("Implementation"),
                            tr("Model"),  tr("Topology"), tr("Batch"),  tr("Precision"), tr("Repetition"),
                            tr("Remarks")};
    return titles[static_cast<std::size_t>(section)];
}

void ImportModel::correct(const QModelIndexList& rows, const imports::Corrections& corrections) {
    for (const QModelIndex& row : rows) {
        Proposal& changed = plan_->proposals[static_cast<std::size_t>(row.row())];
        if (changed.verdict != imports::Verdict::Duplicate) {
            imports::correct(changed, corrections, vocabulary_);
        }
    }
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

}  // namespace dlperf::ui
