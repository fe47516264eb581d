// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_hints.h"

#include <QVBoxLayout>
#include <utility>

#include "ui/pages/page_parts.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

RunHints::RunHints(QWidget* parent) : QWidget(parent) {
    QVBoxLayout* column = makeColumn(this, {}, 10);
    for (std::size_t i = 0; i < banners_.size(); ++i) {
        banners_.at(i) = new Banner(this);
        column->addWidget(banners_.at(i));
        connect(banners_.at(i), &Banner::actionTriggered, this,
                [this, i] { emit lineRequested(shown_.at(i).node, shown_.at(i).line); });
        connect(banners_.at(i), &Banner::closed, this, [this, i] {
            closed_.insert(shown_.at(i).rule);
            arrange();
        });
    }
    hide();
}

void RunHints::showHints(const std::string& runId, std::vector<diagnosis::Hint> hints) {
    if (runId != runId_) {
        runId_ = runId;
        closed_.clear();
        shown_.clear();
    } else if (hints == hints_) {
        return;  // a button that is about to be pressed stays what it is
    }
    hints_ = std::move(hints);
    arrange();
}

void RunHints::arrange() {
    std::vector<diagnosis::Hint> next;
    for (const diagnosis::Hint& hint : hints_) {
        if (next.size() < mostShown && !closed_.contains(hint.rule)) {
            next.push_back(hint);
        }
    }
    shown_ = std::move(next);
    for (std::size_t i = 0; i < banners_.size(); ++i) {
        if (i < shown_.size()) {
            fill(*banners_.at(i), shown_[i]);
        } else {
            banners_.at(i)->hide();
        }
    }
    setVisible(!shown_.empty());
}

// A failure goes when it is over; a warning may be closed.
void RunHints::fill(Banner& banner, const diagnosis::Hint& hint) {
    const bool isWarning = hint.severity == diagnosis::Severity::Warn;
    QString why = QString::fromStdString(hint.why);
    QString remedy = QString::fromStdString(hint.remedy);
    if (!hint.command.empty()) {
        why += QLatin1Char(' ') + remedy;
        remedy = QString::fromStdString(hint.command);
    }
    banner.showMessage(
        isWarning ? "warn" : "fail", QString::fromStdString(hint.what), why, remedy,
        hint.line > 0 ? tr("Show line %1").arg(numberLocale().toString(static_cast<qlonglong>(hint.line)))
                      : QString());
    banner.setClosable(isWarning);
}

}  // namespace dlperf::ui
