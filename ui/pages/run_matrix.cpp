// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/planned_runs.h"

#include <QAbstractButton>
#include <QApplication>
#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "core/report/series_colours.h"
#include "ui/session/plan_draft.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int precisionColumn = 2;
constexpr int firstTopologyColumn = 3;
constexpr int betweenWords = 8;  // px more than between cells: a number ends where a word begins

// What a run has of these; an option that its variant does not name is at its default.
Variant settingsOf(const launch::PlannedRun& run, const std::set<std::string>& names) {
    Variant settings;
    for (const std::string& name : names) {
        for (const Variant* values : {&run.defaults, &run.benchmarkCase.configuration.variant}) {
            if (const auto found = values->find(name); found != values->end()) {
                settings[name] = found->second;
            }
        }
    }
    return settings;
}

using SettingsOfRows = std::map<Configuration, Variant>;

bool tellsApart(const std::string& setting, const std::string& recipe, const SettingsOfRows& rows) {
    std::set<std::optional<std::string>> values;
    for (const auto& [configuration, settings] : rows) {
        if (configuration.recipe == recipe) {
            const auto found = settings.find(setting);
            values.insert(found == settings.end() ? std::nullopt : std::optional(found->second));
        }
    }
    return values.size() > 1;
}

QString titleWith(const Configuration& configuration, const QString& settings) {
    const QString title = recipeText(configuration);
    return settings.isEmpty() ? title : title + comma() + settings;
}

class MatrixCell final : public QAbstractButton {
public:
    MatrixCell(QString runs, QString time) : runs_(std::move(runs)), time_(std::move(time)) {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override { return {64, 38}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(isChecked() || hasFocus() ? QPen(theme.focus, 2) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? theme.press : theme.sel);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
        const QRect half = rect().adjusted(0, 4, 0, -height() / 2);
        painter.setPen(theme.text);
        painter.setFont(textFont(size::secondary, QFont::DemiBold));
        painter.drawText(time_.isEmpty() ? rect() : half, Qt::AlignCenter, runs_);
        painter.setPen(theme.text2);
        painter.setFont(textFont(size::caption));
        painter.drawText(rect().adjusted(0, height() / 2 - 1, 0, -3), Qt::AlignCenter, time_);
    }

private:
    QString runs_;
    QString time_;
};

}  // namespace

std::map<Configuration, QString> settingsApart(const std::vector<launch::PlannedRun>& runs) {
    std::map<std::string, std::set<std::string>> named;  // by recipe
    for (const launch::PlannedRun& run : runs) {
        for (const auto& [name, value] : run.benchmarkCase.configuration.variant) {
            named[run.benchmarkCase.configuration.recipe].insert(name);
        }
    }
    SettingsOfRows rows;
    for (const launch::PlannedRun& run : runs) {
        const Configuration& configuration = run.benchmarkCase.configuration;
        if (!rows.contains(configuration)) {
            rows[configuration] = settingsOf(run, named[configuration.recipe]);
        }
    }
    for (auto& ofRecipe : named) {
        std::erase_if(ofRecipe.second,
                      [&](const std::string& name) { return !tellsApart(name, ofRecipe.first, rows); });
    }
    std::map<Configuration, QString> texts;
    for (const auto& [configuration, settings] : rows) {
        QStringList words;
        for (const auto& [name, value] : settings) {
            if (named[configuration.recipe].contains(name)) {
                words << QStringLiteral("%1=%2").arg(QString::fromStdString(name),
                                                     QString::fromStdString(value));
            }
        }
        texts[configuration] = words.join(QStringLiteral(", "));
    }
    return texts;
}

RunMatrix::RunMatrix(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary), grid_(new QGridLayout(this)), group_(new QButtonGroup(this)) {
    grid_->setContentsMargins(12, 6, 12, 8);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(4);
    grid_->setColumnStretch(0, 1);
    connect(group_, &QButtonGroup::idClicked, this,
            [this](int run) { emit caseChosen(static_cast<std::size_t>(run)); });
}

void RunMatrix::showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times,
                         std::size_t chosen) {
    const QWidget* focused = QApplication::focusWidget();
    const bool hadFocus = focused != nullptr && isAncestorOf(focused);
    emptyLayout(grid_);
    Cases cases;
    std::vector<Configuration> rows;
    std::set<Topology> topologies;
    totals_ = {};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Case& benchmarkCase = runs[i].benchmarkCase;
        if (std::ranges::find(rows, benchmarkCase.configuration) == rows.end()) {
            rows.push_back(benchmarkCase.configuration);
        }
        topologies.insert(benchmarkCase.topology);
        totals_.nodes = std::max(totals_.nodes, benchmarkCase.topology.nodes);
        CaseRuns& planned = cases[benchmarkCase];
        planned.places.push_back(i);
        planned.time = times.of(runs[i]);
    }
    totals_.cases = cases.size();
    if (!runs.empty()) {
        totals_.time = std::chrono::seconds{0};
    }
    addTitles(topologies);
    const auto settings = settingsApart(runs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        addRow(static_cast<int>(i) + 1, rows[i], settings.at(rows[i]), topologies, cases);
    }
    if (QAbstractButton* marked = group_->button(static_cast<int>(chosen))) {
        marked->setChecked(true);
        if (hadFocus) {
            marked->setFocus(Qt::OtherFocusReason);
        }
    }
}

void RunMatrix::addTitles(const std::set<Topology>& topologies) {
    int column = 0;
    for (const QString& title : {tr("Recipe"), tr("Batch"), tr("Precision")}) {
        QLabel* label = makeLabel(title, "section");
        label->setContentsMargins(column == precisionColumn ? betweenWords : 0, 0, 0, 0);
        grid_->addWidget(label, 0, column++);
    }
    for (const Topology& topology : topologies) {
        grid_->addWidget(makeLabel(QString::fromStdString(toString(topology)), "section"), 0, column++,
                         Qt::AlignHCenter);
    }
}

void RunMatrix::addRow(int line, const Configuration& configuration, const QString& settings,
                       const std::set<Topology>& topologies, const Cases& cases) {
    auto* host = new QWidget;
    QHBoxLayout* name = makeRow(host, {}, 8);
    name->addWidget(
        new KeySign(configuration.framework, report::firstFill(configuration.implementation, vocabulary_)));
    QVBoxLayout* words = makeColumn(nullptr, {}, 0);
    words->addStretch(1);
    words->addWidget(new ElidedLabel(recipeText(configuration)));
    if (!settings.isEmpty()) {
        words->addWidget(makeText(settings, "caption"));  // whole: its end may be what differs
    }
    words->addStretch(1);
    name->addLayout(words, 1);
    grid_->addWidget(host, line, 0);
    grid_->addWidget(makeLabel(QString::number(configuration.batchSize), "mono"), line, 1, Qt::AlignRight);
    QLabel* precision = makeLabel(QString::fromStdString(configuration.precision), "mono");
    precision->setContentsMargins(betweenWords, 0, 0, 0);
    grid_->addWidget(precision, line, precisionColumn);
    int column = firstTopologyColumn - 1;
    for (const Topology& topology : topologies) {
        ++column;
        const auto found = cases.find({configuration, topology});
        if (found == cases.end()) {
            continue;
        }
        const auto count = static_cast<long>(found->second.places.size());
        const auto one = found->second.time;
        totals_.time = one && totals_.time ? std::optional(*totals_.time + *one * count) : std::nullopt;
        auto* cell = new MatrixCell(QString::number(count), one ? roughly(*one * count) : QString());
        cell->setAccessibleName(
            tr("%1 runs of %2 on %3")
                .arg(count)
                .arg(titleWith(configuration, settings), QString::fromStdString(toString(topology))));
        group_->addButton(cell, static_cast<int>(found->second.places.front()));
        grid_->addWidget(cell, line, column);
    }
}

}  // namespace dlperf::ui
