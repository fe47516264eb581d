// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/readiness_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

using run::EnvironmentPhase;
using run::EnvironmentProgress;

constexpr int rowHeight = 26;
constexpr int mostRowsSeen = 6;  // then the table scrolls

enum ReadinessColumn { NodeColumn, RecipeColumn, StateColumn, WordsColumn, columnCount };

struct Sign {
    QString icon;
    Ink ink;
    QString word;
};

Sign signOf(EnvironmentPhase phase) {
    switch (phase) {
        case EnvironmentPhase::Looking:
            return {QStringLiteral("state-queued"), Ink::Idle, ReadinessPanel::tr("looking")};
        case EnvironmentPhase::ToPrepare:
            return {QStringLiteral("state-warn"), Ink::Warn, ReadinessPanel::tr("to be prepared")};
        case EnvironmentPhase::Waiting:
            return {QStringLiteral("state-queued"), Ink::Idle, ReadinessPanel::tr("waiting")};
        case EnvironmentPhase::Working:
            return {QStringLiteral("state-running"), Ink::Info, ReadinessPanel::tr("preparing")};
        case EnvironmentPhase::Ready:
            return {QStringLiteral("state-ok"), Ink::Ok, ReadinessPanel::tr("ready")};
        case EnvironmentPhase::Failed:
            break;
    }
    return {QStringLiteral("state-fail"), Ink::Fail, ReadinessPanel::tr("cannot run")};
}

QString wordsOf(const EnvironmentProgress& progress) {
    const QString message = localized(progress.message);
    return progress.remedy.empty() ? message
                                   : QStringLiteral("%1. %2").arg(message, localized(progress.remedy));
}

std::size_t countOf(const std::vector<EnvironmentProgress>& rows, EnvironmentPhase phase) {
    return static_cast<std::size_t>(std::ranges::count(rows, phase, &EnvironmentProgress::phase));
}

}  // namespace

ReadinessPanel::ReadinessPanel(QWidget* parent) : Panel(parent) {
    QHBoxLayout* head = addHeader(tr("Readiness"));
    sum_ = makeLabel({}, "secondary");
    head->insertWidget(1, sum_);
    again_ = makeSmallButton(tr("Look again"), QStringLiteral("refresh"));
    connect(again_, &QPushButton::clicked, this, &ReadinessPanel::lookRequested);
    head->addWidget(again_);
    act_ = makeSmallButton(tr("Prepare"), QStringLiteral("download"));
    act_->setToolTip(tr("Installs what the recipes need on these nodes, each in an environment of its own"));
    connect(act_, &QPushButton::clicked, this,
            [this] { preparing_ ? emit cancelRequested() : emit prepareRequested(); });
    head->addWidget(act_);
    table_ = new QTableWidget(0, columnCount);
    table_->setHorizontalHeaderLabels({tr("Node"), tr("Recipe"), tr("State"), {}});
    setUpRowTable(table_, tr("Readiness of the nodes"), rowHeight);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setProperty("kind", "plain");
    table_->horizontalHeader()->setSectionResizeMode(WordsColumn, QHeaderView::Stretch);
    connect(table_, &QTableWidget::cellDoubleClicked, this, [this](int row) { copyRow(row); });
    body()->addWidget(table_);
    hide();
}

void ReadinessPanel::showRows(const std::vector<EnvironmentProgress>& rows, bool preparing) {
    preparing_ = preparing;
    setVisible(!rows.empty());
    if (rows.size() != rows_.size()) {
        table_->setRowCount(static_cast<int>(rows.size()));
        const int seen = std::min(static_cast<int>(rows.size()), mostRowsSeen);
        table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() + seen * scaled(rowHeight) +
                               2);
        rows_.clear();
        rows_.resize(rows.size(), {{}, {}, EnvironmentPhase::Looking, "\n"});  // differs from every row
    }
    bool wider = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const EnvironmentProgress& old = rows_[i];
        wider = wider || old.node != rows[i].node || old.recipe != rows[i].recipe;
        if (wider || old.phase != rows[i].phase || old.message != rows[i].message) {
            showRow(static_cast<int>(i), rows[i]);
        }
    }
    rows_ = rows;
    if (wider) {
        for (const int column : {NodeColumn, RecipeColumn}) {
            table_->resizeColumnToContents(column);
            table_->setColumnWidth(column, std::max(table_->columnWidth(column), scaled(80)));
        }
        table_->setColumnWidth(StateColumn, scaled(160));  // wide enough for every state: nothing moves
    }
    showSum(rows, preparing);
}

void ReadinessPanel::showRow(int row, const EnvironmentProgress& progress) {
    const Sign sign = signOf(progress.phase);
    const QStringList texts{QString::fromStdString(progress.node), QString::fromStdString(progress.recipe),
                            sign.word, wordsOf(progress).section(QLatin1Char('\n'), -1)};
    for (int column = 0; column < columnCount; ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        if (column == StateColumn) {
            item->setIcon(icon(sign.icon, sign.ink));
        }
        if (column == WordsColumn) {
            item->setForeground(currentTheme().text2);
            item->setToolTip(plainTip(wordsOf(progress) +
                                      (progress.remedy.empty() ? QString() : tr("\nDouble-click to copy."))));
        }
        table_->setItem(row, column, item);
    }
}

void ReadinessPanel::showSum(const std::vector<EnvironmentProgress>& rows, bool preparing) {
    const std::size_t ready = countOf(rows, EnvironmentPhase::Ready);
    const std::size_t toPrepare = countOf(rows, EnvironmentPhase::ToPrepare);
    const bool looking = !preparing && countOf(rows, EnvironmentPhase::Looking) > 0;
    sum_->setText(looking ? tr("asking the nodes …") : tr("%1 of %2 ready").arg(ready).arg(rows.size()));
    act_->setText(preparing ? tr("Cancel") : tr("Prepare"));
    act_->setIcon(icon(preparing ? QStringLiteral("stop") : QStringLiteral("download"), Ink::Text));
    act_->setEnabled(preparing || (toPrepare > 0 && !looking));
    again_->setEnabled(!preparing && !looking);
}

void ReadinessPanel::copyRow(int row) {
    const EnvironmentProgress& progress = rows_.at(static_cast<std::size_t>(row));
    copyText(localized(progress.remedy.empty() ? progress.message : progress.remedy));
}

}  // namespace dlperf::ui
