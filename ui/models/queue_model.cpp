// SPDX-License-Identifier: Apache-2.0
#include "ui/models/queue_model.h"

#include <algorithm>
#include <array>

#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

using run::RunPhase;

bool isActive(const run::RunState& status) {
    return status.phase != RunPhase::Queued && status.phase != RunPhase::Finished;
}

// In the order of Outcome.
std::size_t placeOf(Outcome outcome) {
    return static_cast<std::size_t>(outcome);
}

}  // namespace

QString stateOf(const run::RunState& status) {
    constexpr std::array<const char*, 6> ended{"ok", "fail", "fail", "cancelled", "warn", "cancelled"};
    return status.phase == RunPhase::Queued     ? QStringLiteral("queued")
           : status.phase != RunPhase::Finished ? QStringLiteral("running")
                                                : QLatin1String(ended.at(placeOf(status.outcome)));
}

QString outcomesText(const std::map<Outcome, int>& counts) {
    const std::array<QString, 6> words{QueueModel::tr("%1 ok"),        QueueModel::tr("%1 out of memory"),
                                       QueueModel::tr("%1 failed"),    QueueModel::tr("%1 cancelled"),
                                       QueueModel::tr("%1 too short"), QueueModel::tr("%1 not run")};
    QStringList texts;
    for (const auto& [outcome, count] : counts) {
        texts << words.at(placeOf(outcome)).arg(numberLocale().toString(count));
    }
    return texts.join(QStringLiteral(", "));
}

QString outcomeText(const run::RunState& status) {
    const std::array<QString, 6> words{
        QueueModel::tr("finished"),  QueueModel::tr("out of memory"),     QueueModel::tr("failed"),
        QueueModel::tr("cancelled"), QueueModel::tr("range not reached"), QueueModel::tr("not run")};
    return words.at(placeOf(status.outcome));
}

QString disturbanceText(const run::RunState& status) {
    QStringList lines;
    for (const RunFinding& finding : run::findingsOf(status.disturbances)) {
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(finding.where), localized(finding.what));
    }
    return lines.join(QLatin1Char('\n'));
}

QueueModel::QueueModel(const Vocabulary& vocabulary, QObject* parent)
    : QAbstractListModel(parent), vocabulary_(vocabulary) {}

void QueueModel::setCampaigns(const std::vector<run::Campaign>& campaigns) {
    campaigns_ = campaigns;
    rebuild();
}

void QueueModel::setImports(const std::vector<run::Campaign>& imports) {
    imports_ = imports;
    rebuild();
}

void QueueModel::setFilter(const QString& text) {
    filter_ = text;
    rebuild();
}

QString QueueModel::title(const Row& row) const {
    return QString::fromStdString(
        vocabulary_.title(WordKind::Implementation, row.status.benchmarkCase.configuration.implementation));
}

QString QueueModel::wordsOf(const Row& row) const {
    const run::RunState& status = row.status;
    return title(row) + QLatin1Char(' ') +
           QString::fromStdString(toString(status.benchmarkCase.topology) + " " + status.recipeTitle + " " +
                                  status.reason);
}

void QueueModel::setShown(Show show) {
    show_ = show;
    rebuild();
}

bool QueueModel::isShown(const Row& row) const {
    const bool finished = row.status.phase == RunPhase::Finished;
    const bool inState = [&] {
        switch (show_) {
            case Show::All:
                return true;
            case Show::Active:
                return isActive(row.status);
            case Show::Queued:
                return row.status.phase == RunPhase::Queued;
            case Show::Finished:
                return finished;
            case Show::WithoutFigure:
                return finished && row.status.outcome != Outcome::Ok;
            case Show::Excluded:
                return remark(row).excluded;
        }
        return true;
    }();
    return inState && (filter_.isEmpty() || wordsOf(row).contains(filter_, Qt::CaseInsensitive));
}

// The newest first.
void QueueModel::addRows(Groups& groups, const run::Campaign& campaign) const {
    std::vector<Row> finished;
    bool nextKnown = false;
    for (const run::RunState& status : campaign.runs) {
        Row row{{}, 0, status, !campaign.runnerAlive};
        row.paused = campaign.paused;
        if (status.phase == RunPhase::Queued && !nextKnown) {
            row.next = nextKnown = !remark(row).skipped;
        }
        if (!isShown(row)) {
            continue;
        }
        if (status.phase == RunPhase::Finished) {
            finished.push_back(std::move(row));
        } else {
            groups[isActive(status) ? 0 : 1].push_back(std::move(row));
        }
    }
    std::move(finished.rbegin(), finished.rend(), std::back_inserter(groups[2]));
}

std::vector<QueueModel::Row> QueueModel::makeRows() const {
    Groups groups;
    for (const auto* campaigns : {&campaigns_, &imports_}) {
        for (auto campaign = campaigns->rbegin(); campaign != campaigns->rend(); ++campaign) {
            addRows(groups, *campaign);
        }
    }
    const std::array<QString, 3> headings{tr("Active"), tr("Queued"), tr("Finished")};
    std::vector<Row> rows;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!groups[i].empty()) {
            Row& heading = rows.emplace_back();
            heading.heading = headings[i];
            heading.count = static_cast<int>(groups[i].size());
            std::move(groups[i].begin(), groups[i].end(), std::back_inserter(rows));
        }
    }
    return rows;
}

// Same rows in the same order only change their looks; then selection and scroll position stay by themselves.
void QueueModel::rebuild() {
    std::vector<Row> rows = makeRows();
    const bool same = std::ranges::equal(rows, rows_, [](const Row& a, const Row& b) {
        return a.heading == b.heading && a.status.id == b.status.id;
    });
    if (same) {
        rows_ = std::move(rows);
        if (!rows_.empty()) {
            emit dataChanged(index(0), index(rowCount() - 1));
        }
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

void QueueModel::setProgress(const std::string& runId, double progress, const QString& text) {
    progressOf_ = runId;
    progress_ = progress;
    progressText_ = text;
    if (const QModelIndex changed = indexOf(runId); changed.isValid()) {
        emit dataChanged(changed, changed);
    }
}

const run::RunState* QueueModel::run(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return nullptr;
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    return row.heading.isEmpty() ? &row.status : nullptr;
}

QModelIndex QueueModel::indexOf(const std::string& runId) const {
    for (int i = 0; i < rowCount(); ++i) {
        const Row& row = rows_[static_cast<std::size_t>(i)];
        if (row.heading.isEmpty() && row.status.id == runId) {
            return index(i);
        }
    }
    return {};
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QueueModel::Remark QueueModel::remark(const Row& row) const {
    return remarks_ && row.heading.isEmpty() ? remarks_(row.status) : Remark{};
}

void QueueModel::remarksChanged() {
    if (show_ == Show::Excluded) {
        rebuild();
    } else if (!rows_.empty()) {
        emit dataChanged(index(0), index(rowCount() - 1));
    }
}

QString QueueModel::waiting(const Row& row) const {
    if (row.stranded) {
        return tr("stands still");
    }
    if (remark(row).skipped) {
        return tr("will be skipped");
    }
    if (row.next) {
        return row.paused ? tr("paused") : tr("next");
    }
    return tr("waiting");
}

QString QueueModel::detail(const Row& row) const {
    const QString note = remark(row).note;
    QString text = tr("b%1, repetition %2")
                       .arg(row.status.benchmarkCase.configuration.batchSize)
                       .arg(row.status.repetition);
    if (row.status.origin == Origin::Imported) {
        text += QStringLiteral(" · ") + QString::fromStdString(row.status.campaign);
    }
    if (!disturbanceText(row.status).isEmpty()) {
        text += tr(", disturbed");
    }
    return note.isEmpty() ? text : text + QStringLiteral(" · ") + note;
}

QString QueueModel::tip(const Row& row) const {
    const Remark said = remark(row);
    QStringList lines;
    if (said.excluded) {
        lines << (said.reason.isEmpty() ? tr("Excluded from the medians")
                                        : tr("Excluded from the medians: %1").arg(said.reason));
    }
    const std::string waits = row.status.phase == RunPhase::InQueue ? row.status.message : std::string();
    for (const QString& line :
         {localized(waits), localized(row.status.reason), disturbanceText(row.status), said.note}) {
        if (!line.isEmpty()) {
            lines << line;
        }
    }
    return plainTip(lines.join(QLatin1Char('\n')));
}

QString QueueModel::result(const Row& row) const {
    const run::RunState& status = row.status;
    switch (status.phase) {
        case RunPhase::Queued:
            return waiting(row);
        case RunPhase::InQueue:
            return row.stranded ? tr("stands still") : tr("in the queue");
        case RunPhase::Preparing:
            return row.stranded ? tr("stands still") : tr("preparing");
        case RunPhase::Running:
            if (row.stranded) {
                return tr("not watched");
            }
            return status.id == progressOf_ ? progressText_ : tr("running");
        case RunPhase::Stopping:
            return tr("stopping");
        case RunPhase::Finished:
            break;
    }
    if (status.outcome == Outcome::Ok && status.throughput) {
        return figureText(*status.throughput) + QChar(0x00A0) + localized(status.unit);
    }
    return outcomeText(status);
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const run::RunState& status = row.status;
    const bool heading = !row.heading.isEmpty();
    switch (role) {
        case Qt::DisplayRole:
            return heading ? row.heading : title(row);
        case IsHeadingRole:
            return heading;
        case CountRole:
            return row.count;
        case IdRole:
            return QString::fromStdString(status.id);
        case TopologyRole:
            return QString::fromStdString(toString(status.benchmarkCase.topology));
        case DetailRole:
            return heading ? QString() : detail(row);
        case ResultRole:
            return heading ? QString() : result(row);
        case StateRole:
            return row.stranded && status.phase != RunPhase::Finished ? QStringLiteral("warn")
                                                                      : stateOf(status);
        case ProgressRole:
            if (status.phase == RunPhase::Running && !row.stranded) {
                return status.id == progressOf_ ? progress_ : 0.0;
            }
            return -1.0;
        case FrameworkRole:
            return QString::fromStdString(status.benchmarkCase.configuration.framework);
        case HollowRole:
            return !vocabulary_.isMain(status.benchmarkCase.configuration.implementation);
        case Qt::ToolTipRole:
            return tip(row);
        case ExcludedRole:
            return remark(row).excluded;
        case Qt::AccessibleTextRole:
            return heading ? row.heading
                           : title(row) + QLatin1Char(' ') +
                                 QString::fromStdString(toString(status.benchmarkCase.topology)) +
                                 QStringLiteral(", ") + result(row) +
                                 (remark(row).excluded ? tr(", excluded") : QString());
        default:
            return {};
    }
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    return run(index) != nullptr ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace dlperf::ui
