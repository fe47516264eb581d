// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/recipe_times.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/key_sign.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int nameWidth = 130;
constexpr int timeWidth = 70;
constexpr int barHeight = 8;

// A share of the longest, in the framework's colour.
class ShareBar final : public QWidget {
public:
    ShareBar(std::string framework, bool hollow, double share)
        : framework_(std::move(framework)), hollow_(hollow), share_(share) {
        setFixedHeight(barHeight);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), currentTheme().press);
        QRectF part = rect();
        part.setWidth(width() * share_);
        const Theme& theme = currentTheme();
        painter.fillRect(part, barFill(theme, frameworkStyle(theme, framework_, hollow_ ? 1 : 0)));
    }

private:
    std::string framework_;
    bool hollow_;
    double share_;
};

}  // namespace

RecipeTimes::RecipeTimes(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(14, 12, 14, 12);
    column_->setSpacing(8);
    hide();
}

void RecipeTimes::showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times) {
    std::vector<Row> rows;
    for (const launch::PlannedRun& run : runs) {
        auto row = std::ranges::find(rows, run.recipe, &Row::recipe);
        if (row == rows.end()) {
            const Configuration& configuration = run.benchmarkCase.configuration;
            rows.push_back(
                {run.recipe, configuration.framework, !vocabulary_.isMain(configuration.implementation)});
            row = std::prev(rows.end());
        }
        const auto time = times.of(run.benchmarkCase);
        row->known = row->known && time.has_value();
        row->time += time.value_or(std::chrono::seconds{0});
    }
    std::erase_if(rows, [](const Row& row) { return !row.known; });
    setVisible(rows.size() > 1);
    if (rows == rows_) {
        return;
    }
    rows_ = rows;
    emptyLayout(column_);
    column_->addWidget(makeLabel(tr("Time by recipe"), "section"));
    for (const Row& row : rows) {
        addRow(row, std::ranges::max(rows, {}, &Row::time).time);
    }
}

void RecipeTimes::addRow(const Row& row, std::chrono::seconds longest) {
    auto* host = new QWidget(this);
    auto* line = new QHBoxLayout(host);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(new KeySign(row.framework, row.hollow));
    auto* name = new ElidedLabel(QString::fromStdString(row.recipe));
    name->setFixedWidth(scaled(nameWidth));
    line->addWidget(name);
    const double share = longest.count() > 0
                             ? static_cast<double>(row.time.count()) / static_cast<double>(longest.count())
                             : 0;
    line->addWidget(new ShareBar(row.framework, row.hollow, share), 1);
    QLabel* time = makeLabel(roughly(row.time), "mono");
    time->setMinimumWidth(scaled(timeWidth));
    time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line->addWidget(time);
    column_->addWidget(host);
}

}  // namespace dlperf::ui
