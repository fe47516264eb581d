// SPDX-License-Identifier: Apache-2.0
#include "ui/models/queue_model.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "core/analysis/summary.h"
#include "core/base/mapped.h"
#include "core/report/series_title.h"
#include "core/run/campaign_names.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

using run::RunPhase;

constexpr int longestTip = 20;  // lines

bool isWithoutFigure(const run::RunState& status) {
    return status.phase == RunPhase::Finished && status.outcome != Outcome::Ok;
}

// In the order of Outcome.
std::size_t placeOf(Outcome outcome) {
    return static_cast<std::size_t>(outcome);
}

}  // namespace

QString caseTitle(const Case& benchmarkCase, const Vocabulary& vocabulary) {
    return QString::fromStdString(
        vocabulary.title(WordKind::Implementation, benchmarkCase.configuration.implementation) + " " +
        toString(benchmarkCase.topology));
}

QString runTitle(const run::RunState& status, const Vocabulary& vocabulary) {
    return QueueModel::tr("%1, batch %2, repetition %3")
        .arg(caseTitle(status.benchmarkCase, vocabulary))
        .arg(status.benchmarkCase.configuration.batchSize)
        .arg(status.repetition);
}

QString stateOf(const run::RunState& status) {
    constexpr std::array<const char*, 6> ended{"ok", "fail", "fail", "cancelled", "warn", "cancelled"};
    return status.phase == RunPhase::Queued     ? QStringLiteral("queued")
           : status.phase != RunPhase::Finished ? QStringLiteral("running")
                                                : QLatin1String(ended.at(placeOf(status.outcome)));
}

QString runsText(std::size_t count) {
    return count == 1
               ? QueueModel::tr("1 run")
               : QueueModel::tr("%1 runs").arg(numberLocale().toString(static_cast<qulonglong>(count)));
}

QString outcomesText(const std::map<Outcome, int>& counts) {
    const std::array<QString, 6> words{QueueModel::tr("%1 ok"),        QueueModel::tr("%1 out of memory"),
                                       QueueModel::tr("%1 failed"),    QueueModel::tr("%1 cancelled"),
                                       QueueModel::tr("%1 too short"), QueueModel::tr("%1 not run")};
    QStringList texts;
    for (const auto& [outcome, count] : counts) {
        texts << words.at(placeOf(outcome)).arg(numberLocale().toString(count));
    }
    return texts.join(comma());
}

QString outcomeText(const run::RunState& status) {
    const std::array<QString, 6> words{
        QueueModel::tr("finished"),  QueueModel::tr("out of memory"),     QueueModel::tr("failed"),
        QueueModel::tr("cancelled"), QueueModel::tr("range not reached"), QueueModel::tr("not run")};
    return words.at(placeOf(status.outcome));
}

QString noLogText(const run::RunState& status) {
    if (status.phase != RunPhase::Finished) {
        return QueueModel::tr("Nothing is logged yet");
    }
    if (status.started) {
        return QueueModel::tr("It ended and logged nothing");
    }
    if (status.alreadyThere) {
        return QueueModel::tr("It has no log: the workspace had its figure already");
    }
    return status.outcome == Outcome::Cancelled
               ? QueueModel::tr("It has no log: it was cancelled before it began")
               : QueueModel::tr("It has no log: it did not begin");
}

QString disturbanceText(const run::RunState& status) {
    QStringList lines;
    for (const RunFinding& finding : run::findingsOf(status.disturbances)) {
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(finding.where), localized(finding.what));
    }
    return lines.join(QLatin1Char('\n'));
}

QString nodesText(const run::RunState& status) {
    constexpr std::size_t most = 3;
    if (status.origin == Origin::Imported || status.nodes.empty()) {
        return {};
    }
    QStringList names;
    for (const std::string& node : std::span(status.nodes).first(std::min(most, status.nodes.size()))) {
        names << (node == "this" ? QueueModel::tr("this machine") : QString::fromStdString(node));
    }
    const QString some = names.join(comma());
    const auto more = static_cast<qlonglong>(status.nodes.size()) - names.size();
    return more == 0 ? QueueModel::tr("on %1").arg(some)
                     : QueueModel::tr("on %1 and %2 more").arg(some, numberLocale().toString(more));
}

QueueModel::QueueModel(const Vocabulary& vocabulary, const analysis::FormatBook& formats, QObject* parent)
    : QAbstractListModel(parent), vocabulary_(vocabulary), formats_(formats) {}

// The rows point into the campaigns: those before stay until the rows are made anew.
void QueueModel::setRuns(Runs runs) {
    const auto before = std::exchange(runs_, std::move(runs));
    rebuild();
}

void QueueModel::setCampaigns(std::vector<run::Campaign> campaigns, Names names) {
    setRuns({.campaigns = std::make_shared<const std::vector<run::Campaign>>(std::move(campaigns)),
             .names = std::move(names)});
}

void QueueModel::setFilter(const QString& text) {
    filter_ = text;
    rebuild();
}

void QueueModel::setShownRun(const std::string& runId) {
    if (shownRun_ == runId) {
        return;
    }
    const QModelIndex before = indexOf(std::exchange(shownRun_, runId));
    for (const QModelIndex& changed : {before, indexOf(runId)}) {
        if (changed.isValid()) {
            emit dataChanged(changed, changed);
        }
    }
}

QString QueueModel::title(const run::RunState& status) const {
    return localized(report::trainerText(status.benchmarkCase.configuration, vocabulary_));
}

QString QueueModel::wordsOf(const run::RunState& status) const {
    return title(status) + QLatin1Char(' ') +
           QString::fromStdString(toString(status.benchmarkCase.topology) + " " + status.recipeTitle + " " +
                                  status.reason + " " +
                                  report::settingsText(status.benchmarkCase.configuration, vocabulary_));
}

void QueueModel::setShown(Show show) {
    show_ = show;
    rebuild();
}

bool QueueModel::isShown(const Row& row) const {
    const auto isOfState = [this, &row](const Entry& entry) {
        switch (show_) {
            case Show::All:
                return true;
            case Show::Active:
                return groupOf(row) == 0;
            case Show::Queued:
                return entry.status->phase == RunPhase::Queued;
            case Show::Finished:
                return entry.status->phase == RunPhase::Finished;
            case Show::WithoutFigure:
                return isWithoutFigure(*entry.status);
            case Show::Excluded:
                return remark(*entry.status).excluded;
        }
        return true;
    };
    return std::ranges::any_of(row.runs, [&](const Entry& entry) {
        return isOfState(entry) &&
               (filter_.isEmpty() || wordsOf(*entry.status).contains(filter_, Qt::CaseInsensitive));
    });
}

// Between two of its repetitions a case stays where it is.
std::size_t QueueModel::groupOf(const Row& row) const {
    const auto any = [&row](auto&& is) {
        return std::ranges::any_of(row.runs,
                                   [&is](const Entry& entry) { return std::invoke(is, *entry.status); });
    };
    const bool waits = any([](const run::RunState& run) { return run.phase == RunPhase::Queued; });
    const bool begun = any([](const run::RunState& run) {
        return run.phase == RunPhase::Finished && run.outcome != Outcome::NotRun && !run.alreadyThere;
    });
    const bool isActive = any(&run::RunState::isActive);
    return isActive || (waits && begun) ? 0 : waits ? 1 : 2;
}

std::vector<QueueModel::Row> QueueModel::casesOf(const run::Campaign& campaign) const {
    const auto isLess = [](const Case* a, const Case* b) { return *a < *b; };
    std::map<const Case*, std::size_t, decltype(isLess)> places(isLess);
    std::vector<Row> cases;
    bool nextKnown = false;
    for (const run::RunState& status : campaign.runs) {
        Entry entry{&status, !campaign.runnerAlive, false, campaign.paused, campaign.lostJournal.has_value()};
        if (status.phase == RunPhase::Queued && !nextKnown) {
            entry.next = nextKnown = !remark(status).skipped;
        }
        const auto [place, isNew] = places.try_emplace(&status.benchmarkCase, cases.size());
        if (isNew) {
            cases.emplace_back().fill = fillOf(status);
        }
        cases[place->second].runs.push_back(entry);
    }
    return cases;
}

int QueueModel::fillOf(const run::RunState& status) const {
    return runs_.looks->fillOf(report::seriesKeyOf(status), vocabulary_);
}

// The newest first.
QueueModel::Groups QueueModel::groupedCases() const {
    Groups groups;
    for (const Campaigns& campaigns : {runs_.campaigns, runs_.imports}) {
        for (auto campaign = campaigns->rbegin(); campaign != campaigns->rend(); ++campaign) {
            std::vector<Row> finished;
            for (Row& row : casesOf(*campaign)) {
                const std::size_t group = groupOf(row);
                (group == 2 ? finished : groups.at(group)).push_back(std::move(row));
            }
            std::move(finished.rbegin(), finished.rend(), std::back_inserter(groups[2]));
        }
    }
    tellApart(groups);
    return groups;
}

std::vector<QueueModel::Row> QueueModel::makeRows() const {
    Groups groups = groupedCases();
    for (std::vector<Row>& group : groups) {
        std::erase_if(group, [this](const Row& row) { return !isShown(row); });
    }
    const bool isStranded = std::ranges::all_of(
        groups[0], [](const Row& row) { return row.runs.front().stranded; });  // none has a runner
    const std::array<QString, 3> headings{isStranded ? tr("Interrupted") : tr("Active"), tr("Queued"),
                                          tr("Finished")};
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

// By their settings, in the words of Compare's legend; two executions of a plan, which have the same cases,
// by their campaigns too.
void QueueModel::tellApart(Groups& groups) const {
    const auto isLess = [](const Configuration* a, const Configuration* b) { return *a < *b; };
    std::map<const Configuration*, std::map<Topology, std::vector<Row*>>, decltype(isLess)> cases(isLess);
    for (std::vector<Row>& group : groups) {
        for (Row& row : group) {
            const Case& benchmarkCase = row.runs.front().status->benchmarkCase;
            cases[&benchmarkCase.configuration][benchmarkCase.topology].push_back(&row);
        }
    }
    std::vector<const Configuration*> configurations;
    configurations.reserve(cases.size());
    for (const auto& [configuration, rowsOf] : cases) {
        configurations.push_back(configuration);
    }
    const std::vector<std::string> texts = report::settingsApart(configurations, vocabulary_);
    auto settings = texts.begin();
    for (const auto& [configuration, rowsOf] : cases) {
        for (const auto& [topology, rows] : rowsOf) {
            for (Row* row : rows) {
                row->settings = QString::fromStdString(*settings);
                if (rows.size() > 1) {
                    row->settings += (settings->empty() ? QString() : QStringLiteral(" · ")) +
                                     campaignName(row->runs.front().status->campaign);
                }
            }
        }
        ++settings;
    }
}

QString QueueModel::campaignName(const std::string& id) const {
    return QString::fromStdString(run::campaignName(runs_.names, id));
}

// Same rows in the same order only change their looks; then selection and scroll position stay by themselves.
void QueueModel::rebuild() {
    std::vector<Row> rows = makeRows();
    auto ids = mapped(rows, [](const Row& row) {
        return row.runs.empty() ? row.heading.toStdString() : row.runs.front().status->id;
    });
    if (ids == ids_) {
        rows_ = std::move(rows);
        if (!rows_.empty()) {
            emit dataChanged(index(0), index(rowCount() - 1));
        }
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    ids_ = std::move(ids);
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

const QueueModel::Row* QueueModel::caseAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return nullptr;
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    return row.runs.empty() ? nullptr : &row;
}

const QueueModel::Entry& QueueModel::telling(const Row& row) const {
    const auto isQueued = [](const Entry& entry) { return entry.status->phase == RunPhase::Queued; };
    auto found = std::ranges::find_if(row.runs, [](const Entry& entry) { return entry.status->isActive(); });
    if (found == row.runs.end()) {
        found = std::ranges::find_if(row.runs, [](const Entry& entry) { return entry.next; });
    }
    if (found == row.runs.end()) {
        found = std::ranges::find_if(row.runs, isQueued);
    }
    if (found == row.runs.end()) {
        found =
            std::ranges::find_if(row.runs, [](const Entry& entry) { return isWithoutFigure(*entry.status); });
    }
    return found == row.runs.end() ? row.runs.front() : *found;
}

const QueueModel::Entry& QueueModel::shownOf(const Row& row) const {
    const auto found =
        std::ranges::find_if(row.runs, [this](const Entry& entry) { return entry.status->id == shownRun_; });
    return found == row.runs.end() ? telling(row) : *found;
}

const run::RunState* QueueModel::run(const QModelIndex& index) const {
    const Row* row = caseAt(index);
    return row == nullptr ? nullptr : shownOf(*row).status;
}

const run::RunState* QueueModel::repetition(const QModelIndex& index, int number) const {
    const Row* row = caseAt(index);
    return row == nullptr || number < 0 || number >= static_cast<int>(row->runs.size())
               ? nullptr
               : row->runs[static_cast<std::size_t>(number)].status;
}

QModelIndex QueueModel::indexOf(const std::string& runId) const {
    const auto found = std::ranges::find_if(rows_, [&runId](const Row& row) {
        return std::ranges::any_of(row.runs, [&](const Entry& entry) { return entry.status->id == runId; });
    });
    return found == rows_.end() ? QModelIndex() : index(static_cast<int>(found - rows_.begin()));
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QueueModel::Remark QueueModel::remark(const run::RunState& status) const {
    return remarks_ ? remarks_(status) : Remark{};
}

void QueueModel::remarksChanged() {
    if (show_ == Show::Excluded) {
        rebuild();
    } else if (!rows_.empty()) {
        emit dataChanged(index(0), index(rowCount() - 1));
    }
}

QString QueueModel::waiting(const Entry& entry) const {
    if (entry.lost) {
        return tr("cannot be resumed");
    }
    if (entry.stranded) {
        return tr("waits for Resume");
    }
    if (remark(*entry.status).skipped) {
        return tr("will be skipped");
    }
    if (entry.next) {
        return entry.paused ? tr("paused") : tr("next");
    }
    return tr("waiting");
}

QString QueueModel::caseText(const Row& row) {
    const Configuration& configuration = row.runs.front().status->benchmarkCase.configuration;
    const QString text = tr("b%1").arg(configuration.batchSize) + QLatin1Char(' ') +
                         QString::fromStdString(configuration.precision);
    return text.trimmed();
}

QString QueueModel::detail(const Row& row) const {
    const run::RunState& first = *row.runs.front().status;
    QString text = caseText(row);
    const auto excluded =
        std::ranges::count_if(row.runs, [this](const Entry& entry) { return isExcluded(entry); });
    if (isExcluded(row)) {
        text += tr(", excluded");
    } else if (excluded > 0) {
        text += tr(", %1 excluded").arg(numberLocale().toString(static_cast<qlonglong>(excluded)));
    }
    if (std::ranges::any_of(row.runs,
                            [](const Entry& entry) { return !entry.status->disturbances.empty(); })) {
        text += tr(", disturbed");
    }
    if (row.runs.size() > 1) {
        return text;  // its repetitions stand beside it
    }
    if (first.origin == Origin::Imported) {
        text += QStringLiteral(" · ") + QString::fromStdString(first.campaign);
    }
    const QString note = remark(first).note;
    return note.isEmpty() ? text : text + QStringLiteral(" · ") + note;
}

QStringList QueueModel::remarkLines(const run::RunState& status) const {
    const Remark said = remark(status);
    QStringList lines;
    if (said.excluded) {
        lines << (said.reason.isEmpty() ? tr("Excluded from the medians")
                                        : tr("Excluded from the medians: %1").arg(said.reason));
    }
    const std::string waits = status.phase == RunPhase::InQueue ? status.message : std::string();
    for (const QString& line :
         {localized(waits), localized(status.reason), disturbanceText(status), said.note}) {
        if (!line.isEmpty()) {
            lines << line;
        }
    }
    return lines;
}

QString QueueModel::tip(const Row& row) const {
    QStringList lines;
    if (!row.settings.isEmpty()) {
        lines << row.settings;  // the row may cut it
    }
    if (const QString nodes = nodesText(*row.runs.front().status); !nodes.isEmpty()) {
        lines << nodes;
    }
    if (row.runs.size() == 1) {
        return plainTip((lines + remarkLines(*row.runs.front().status)).join(QLatin1Char('\n')));
    }
    for (const Entry& entry : row.runs) {
        if (lines.size() >= longestTip) {
            lines << QStringLiteral("…");
            break;
        }
        lines << tr("Repetition %1: %2").arg(entry.status->repetition).arg(resultOf(entry));
        lines << remarkLines(*entry.status);
    }
    if (const auto count = figuresOf(row).size(); count > 1) {
        lines << tr("Median of %1 repetitions: %2").arg(count).arg(result(row));
    }
    return plainTip(lines.join(QLatin1Char('\n')));
}

QString QueueModel::resultOf(const Entry& entry) const {
    const run::RunState& status = *entry.status;
    switch (status.phase) {
        case RunPhase::Queued:
            return waiting(entry);
        case RunPhase::InQueue:
            return entry.stranded ? tr("interrupted") : tr("in the queue");
        case RunPhase::Preparing:
            return entry.stranded ? tr("interrupted") : tr("preparing");
        case RunPhase::Running:
            if (entry.stranded) {
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

std::vector<double> QueueModel::figuresOf(const Row& row) const {
    std::vector<double> figures;
    for (const Entry& entry : row.runs) {
        if (entry.status->outcome == Outcome::Ok && entry.status->throughput &&
            !remark(*entry.status).excluded) {
            figures.push_back(*entry.status->throughput);
        }
    }
    return figures;
}

// The median once the case is over, as Compare has it; before that, and without a figure, its telling run's.
QString QueueModel::result(const Row& row) const {
    const Entry& entry = telling(row);
    const std::vector<double> figures = figuresOf(row);
    if (groupOf(row) != 2 || figures.empty()) {
        return resultOf(entry);
    }
    const analysis::Format* format = formats_.find(entry.status->format);
    const analysis::FoldRule rule = format == nullptr ? analysis::FoldRule{} : format->fold;
    const auto median = analysis::printed(analysis::fold(figures, rule).median, rule);
    return median ? figureText(*median) + QChar(0x00A0) + localized(row.runs.front().status->unit)
                  : resultOf(entry);
}

bool QueueModel::isExcluded(const Entry& entry) const {
    return entry.status->outcome == Outcome::Ok && entry.status->phase == RunPhase::Finished &&
           remark(*entry.status).excluded;
}

bool QueueModel::isExcluded(const Row& row) const {
    return figuresOf(row).empty() && remark(*shownOf(row).status).excluded;
}

QString QueueModel::stateIcon(const Entry& entry) const {
    const run::RunState& status = *entry.status;
    if (isExcluded(entry)) {
        return QStringLiteral("excluded");
    }
    if (status.phase == RunPhase::Queued && remark(status).skipped) {
        return QStringLiteral("cancelled");
    }
    // What has not begun waits for Resume; what had begun may run on, unwatched.
    return entry.stranded && status.isActive() ? QStringLiteral("warn") : stateOf(status);
}

QString QueueModel::stateIcon(const Row& row) const {
    QString state = stateIcon(telling(row));
    const auto isOk = [this](const Entry& entry) { return stateIcon(entry) == QLatin1String("ok"); };
    if (groupOf(row) != 2 || std::ranges::none_of(row.runs, isOk)) {
        return state;
    }
    // It has a figure, if not from every repetition.
    return state == QLatin1String("fail") || state == QLatin1String("warn") ? QStringLiteral("warn")
                                                                            : QStringLiteral("ok");
}

double QueueModel::progressOf(const Row& row) const {
    const Entry& entry = telling(row);
    if (entry.status->phase != RunPhase::Running || entry.stranded) {
        return -1;
    }
    return entry.status->id == progressOf_ ? progress_ : 0.0;
}

QString QueueModel::spoken(const Row& row) const {
    const run::RunState& first = *row.runs.front().status;
    QString text = title(first) + QLatin1Char(' ') +
                   QString::fromStdString(toString(first.benchmarkCase.topology)) + comma() + result(row);
    if (row.runs.size() > 1) {
        const Entry& shown = shownOf(row);
        text += tr(", repetition %1 of %2: %3")
                    .arg(shown.status->repetition)
                    .arg(row.runs.size())
                    .arg(resultOf(shown));
    }
    text += row.settings.isEmpty() ? QString() : comma() + row.settings;
    return remark(*shownOf(row).status).excluded ? text + tr(", excluded") : text;
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (row.runs.empty()) {
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? QVariant(row.heading)
               : role == IsHeadingRole                                   ? QVariant(true)
               : role != CountRole                                       ? QVariant()
               : row.count == 1                                          ? QVariant(tr("1 case"))
                                : QVariant(tr("%1 cases").arg(numberLocale().toString(row.count)));
    }
    const Configuration& configuration = row.runs.front().status->benchmarkCase.configuration;
    switch (role) {
        case Qt::DisplayRole:
            return title(*row.runs.front().status);
        case IsHeadingRole:
            return false;
        case IdRole:
            return QString::fromStdString(shownOf(row).status->id);
        case TopologyRole:
            return QString::fromStdString(toString(row.runs.front().status->benchmarkCase.topology));
        case CaseRole:
            return caseText(row);
        case DetailRole:
            return detail(row);
        case SettingsRole:
            return row.settings;
        case ResultRole:
            return result(row);
        case StateRole:
            return stateIcon(row);
        case RepetitionsRole: {
            QStringList states;
            std::ranges::transform(row.runs, std::back_inserter(states),
                                   [this](const Entry& entry) { return stateIcon(entry); });
            return states;
        }
        case ShownRole:
            return static_cast<int>(&shownOf(row) - row.runs.data());
        case ProgressRole:
            return progressOf(row);
        case FrameworkRole:
            return QString::fromStdString(configuration.framework);
        case FillRole:
            return row.fill;
        case Qt::ToolTipRole:
            return tip(row);
        case ExcludedRole:
            return isExcluded(row);
        case Qt::AccessibleTextRole:
            return spoken(row);
        default:
            return {};
    }
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    return run(index) != nullptr ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace dlperf::ui
