// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/planned_runs.h"

#include <QAbstractButton>
#include <QApplication>
#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/session/plan_draft.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int precisionColumn = 2;
constexpr int firstTopologyColumn = 3;
constexpr int betweenWords = 8;  // px more than between cells: a number ends where a word begins

// With the options and variables that tell rows of one recipe apart: "mxnet image_size=64".
QString titleAmong(const Configuration& configuration, const std::vector<Configuration>& rows) {
    QString title = recipeText(configuration);
    for (const auto& [name, value] : configuration.variant) {
        const auto differs = [&, wanted = std::pair(name, value)](const Configuration& other) {
            const auto own = other.variant.find(wanted.first);
            return other.recipe == configuration.recipe &&
                   (own == other.variant.end() || own->second != wanted.second);
        };
        if (std::ranges::any_of(rows, differs)) {
            title +=
                QStringLiteral(" %1=%2").arg(QString::fromStdString(name), QString::fromStdString(value));
        }
    }
    return title;
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
        cases[benchmarkCase].push_back(i);
    }
    totals_.cases = cases.size();
    if (!runs.empty()) {
        totals_.time = std::chrono::seconds{0};
    }
    addTitles(topologies);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        addRow(static_cast<int>(i) + 1, rows[i], titleAmong(rows[i], rows), topologies, cases, times);
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

void RunMatrix::addRow(int line, const Configuration& configuration, const QString& title,
                       const std::set<Topology>& topologies, const Cases& cases,
                       const launch::ExpectedTimes& times) {
    auto* host = new QWidget;
    QHBoxLayout* name = makeRow(host, {}, 8);
    name->addWidget(new KeySign(configuration.framework, !vocabulary_.isMain(configuration.implementation)));
    name->addWidget(new ElidedLabel(title), 1);
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
        const auto count = static_cast<long>(found->second.size());
        const auto one = times.of(found->first);
        totals_.time = one && totals_.time ? std::optional(*totals_.time + *one * count) : std::nullopt;
        auto* cell = new MatrixCell(QString::number(count), one ? roughly(*one * count) : QString());
        cell->setAccessibleName(
            tr("%1 runs of %2 on %3").arg(count).arg(title, QString::fromStdString(toString(topology))));
        group_->addButton(cell, static_cast<int>(found->second.front()));
        grid_->addWidget(cell, line, column);
    }
}

}  // namespace dlperf::ui
