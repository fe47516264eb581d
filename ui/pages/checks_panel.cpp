// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/checks_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pages/check_list.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

ChecksPanel::ChecksPanel(QWidget* parent)
    : QWidget(parent), counts_(new QHBoxLayout), checks_(new CheckList) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* panel = new Panel(this);
    outer->addWidget(panel);
    QHBoxLayout* head = panel->addHeader(tr("Preflight checks"));
    counts_->setSpacing(6);
    head->insertLayout(1, counts_);
    again_ = makeSmallButton({}, QStringLiteral("refresh"));
    connect(again_, &QPushButton::clicked, this, &ChecksPanel::checkRequested);
    head->addWidget(again_);
    panel->body()->addWidget(makeScrolled(checks_, ScrollBars::VerticalOnly), 1);
}

void ChecksPanel::showNothing() {
    again_->hide();
    checks_->setWord(tr("No node is chosen"), tr("The filter leaves none, or none is selected."));
}

void ChecksPanel::showNode(const NodeEntry& entry, const std::vector<cluster::Check>& between) {
    again_->show();
    again_->setText(tr("Check %1").arg(QString::fromStdString(entry.node.name)));
    again_->setEnabled(entry.state != NodeState::Checking);
    showCounts(entry, between);
    if (entry.state == NodeState::NotReached) {
        checks_->setChecks({cluster::notReached(entry.error)}, between);
    } else if (entry.checks.empty()) {
        checks_->setWord(entry.state == NodeState::Checking ? tr("Checking …") : tr("Not checked yet"),
                         tr("A check asks the node a few questions and changes nothing on it."));
    } else {
        checks_->setChecks(entry.checks, between);
    }
}

void ChecksPanel::showCounts(const NodeEntry& entry, const std::vector<cluster::Check>& between) {
    emptyLayout(counts_);
    const auto countOf = [&](cluster::Verdict verdict) {
        return entry.count(verdict) +
               static_cast<int>(std::ranges::count(between, verdict, &cluster::Check::verdict));
    };
    const auto addCount = [this](int count, const QString& text, const char* state) {
        if (count > 0) {
            counts_->addWidget(makeStateTag(text.arg(count), state));
        }
    };
    addCount(countOf(cluster::Verdict::Failed), tr("%1 failed"), "fail");
    addCount(countOf(cluster::Verdict::Warning), tr("%1 to look at"), "warn");
    addCount(countOf(cluster::Verdict::Passed), tr("%1 passed"), "ok");
}

}  // namespace dlperf::ui
