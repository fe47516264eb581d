// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/checks_panel.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/base/mapped.h"
#include "core/cluster/fold_checks.h"
#include "ui/theme/localized.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int bodyIndent = 36;  // below the title, not the icon

struct VerdictSign {
    QString icon;
    const char* state;
    QString word;
};

VerdictSign signOf(cluster::Verdict verdict) {
    const std::array<VerdictSign, 3> signs{{{QStringLiteral("state-ok"), "ok", CheckRow::tr("passed")},
                                            {QStringLiteral("state-warn"), "warn", CheckRow::tr("warning")},
                                            {QStringLiteral("state-fail"), "fail", CheckRow::tr("failed")}}};
    return signs.at(static_cast<std::size_t>(verdict));
}

QLabel* makeWords(const QString& text, const char* kind) {
    QLabel* label = makeText(text, kind);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

// Of all nodes; what does not hold for each names those that it is of.
std::vector<cluster::Check> checksOfAll(const std::vector<NodeEntry>& nodes) {
    std::vector<std::pair<std::string, std::vector<cluster::Check>>> ofNodes;
    for (const NodeEntry& entry : nodes) {
        if (entry.state == NodeState::NotReached) {
            ofNodes.push_back({entry.node.name, {cluster::notReached(entry.error)}});
        } else if (!entry.checks.empty()) {
            ofNodes.emplace_back(entry.node.name, entry.checks);
        }
    }
    return mapped(cluster::foldChecks(ofNodes), [&](const cluster::FoldedCheck& folded) {
        cluster::Check check = folded.check;
        if (folded.nodes.size() < nodes.size()) {
            check.summary = cluster::foldNames(folded.nodes) + ": " + check.summary;
        }
        return check;
    });
}

}  // namespace

CheckRow::CheckRow(const cluster::Check& check, QWidget* parent) : QFrame(parent) {
    setProperty("kind", "checkrow");
    setProperty("state", check.verdict == cluster::Verdict::Passed ? "" : signOf(check.verdict).state);
    setAccessibleName(
        tr("%1: %2, %3").arg(localized(check.title), signOf(check.verdict).word, localized(check.summary)));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    QVBoxLayout* column = makeColumn(this, {}, 0);
    column->addWidget(buildHead(check));
    if (!check.explanation.empty()) {
        setFocusPolicy(Qt::StrongFocus);
        body_ = buildBody(check);
        column->addWidget(body_);
    }
}

QWidget* CheckRow::buildHead(const cluster::Check& check) {
    const VerdictSign sign = signOf(check.verdict);
    auto* head = new QWidget(this);
    QHBoxLayout* row = makeRow(head, {12, 7, 12, 7}, 8);
    row->addWidget(makeIcon(sign.icon, sign.state));
    row->addWidget(makeLabel(localized(check.title), check.explanation.empty() ? nullptr : "strong"));
    auto* summary = new ElidedLabel(localized(check.summary));
    summary->setProperty("kind", "secondary");
    summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(summary, 1);
    return head;
}

QWidget* CheckRow::buildBody(const cluster::Check& check) {
    auto* body = new QWidget(this);
    QVBoxLayout* column = makeColumn(body, {bodyIndent, 0, 12, 10}, 6);
    column->addWidget(makeWords(localized(check.explanation), nullptr));
    if (!check.evidence.empty()) {
        column->addWidget(makeWords(QString::fromStdString(check.evidence), "codebox"));
    }
    column->addWidget(makeWords(localized(check.remedy), "section"));
    if (!check.command.empty()) {
        QHBoxLayout* row = makeRow(nullptr, {}, 6);
        row->addWidget(makeWords(QString::fromStdString(check.command), "codebox"), 1);
        QPushButton* copy = makeSmallButton(tr("Copy"), QStringLiteral("copy"));
        copy->setAccessibleName(tr("Copy the remedy of %1").arg(localized(check.title)));
        connect(copy, &QPushButton::clicked, this,
                [text = QString::fromStdString(check.command)] { copyText(text); });
        row->addWidget(copy, 0, Qt::AlignTop);
        column->addLayout(row);
    }
    return body;
}

void CheckRow::toggle() {
    if (body_ != nullptr) {
        body_->setVisible(body_->isHidden());
    }
}

void CheckRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        toggle();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void CheckRow::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && childAt(event->pos()) != nullptr &&
        (body_ == nullptr || !body_->geometry().contains(event->pos()))) {
        toggle();
    }
}

// The checks of a node, one row each, and those over all nodes. What did not pass stands open: why it
// matters, what the node printed, and a remedy to copy.
class CheckList final : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::CheckList)

public:
    explicit CheckList(QWidget* parent = nullptr) : QWidget(parent), column_(makeColumn(this)) {}

    void setChecks(const std::vector<cluster::Check>& checks,
                   const std::vector<cluster::Check>& between = {}) {
        emptyLayout(column_);
        column_->setSpacing(0);
        for (const cluster::Check& check : checks) {
            column_->addWidget(new CheckRow(check, this));
        }
        if (!between.empty()) {
            QLabel* heading = makeLabel(tr("Between the nodes"), "strong");
            heading->setContentsMargins(12, 14, 12, 6);
            column_->addWidget(heading);
        }
        for (const cluster::Check& check : between) {
            column_->addWidget(new CheckRow(check, this));
        }
        column_->addStretch(1);
    }

    void setWord(const QString& title, const QString& text) {
        emptyLayout(column_);
        column_->setSpacing(4);
        column_->addStretch(1);
        column_->addWidget(makeLabel(title, "strong"), 0, Qt::AlignHCenter);
        QLabel* words = makeText(text, "secondary");
        words->setAlignment(Qt::AlignHCenter);
        words->setContentsMargins(24, 0, 24, 0);
        column_->addWidget(words);
        column_->addStretch(2);
    }

private:
    QVBoxLayout* column_;
};

ChecksPanel::ChecksPanel(QWidget* parent)
    : Panel(parent), counts_(makeRow(nullptr, {}, 6)), checks_(new CheckList) {
    QHBoxLayout* head = addHeader(tr("Preflight checks"));
    head->insertLayout(1, counts_);
    which_ = new Segments(tr("Checks of"), {tr("Node"), tr("All")});
    which_->setToolTip(tr("The checks of the chosen node, or of all: what is alike is said once"));
    connect(which_, &Segments::changed, this, &ChecksPanel::showChecks);
    head->addWidget(which_);
    again_ = makeSmallButton({}, QStringLiteral("refresh"));
    connect(again_, &QPushButton::clicked, this, &ChecksPanel::checkRequested);
    head->addWidget(again_);
    body()->addWidget(makeScrolled(checks_, ScrollBars::VerticalOnly), 1);
}

void ChecksPanel::showNothing() {
    again_->hide();
    which_->hide();
    emptyLayout(counts_);
    checks_->setWord(tr("No node is chosen"), tr("The filter leaves none, or none is selected."));
}

void ChecksPanel::showNode(const NodeEntry& entry, const std::vector<NodeEntry>& nodes,
                           const std::vector<cluster::Check>& between) {
    entry_ = entry;
    between_ = between;
    all_ = nodes.size() > 1 ? checksOfAll(nodes) : std::vector<cluster::Check>();
    which_->setVisible(!all_.empty());
    again_->show();
    const QString name = QString::fromStdString(entry.node.name);
    again_->setText(entry.node.seat ? tr("Check all")
                    : all_.empty()  ? tr("Check %1").arg(name)
                                    : tr("Check"));
    again_->setToolTip(entry.node.seat ? QString() : tr("Asks %1 again").arg(name));
    again_->setEnabled(entry.state != NodeState::Checking);
    showChecks();
}

void ChecksPanel::showChecks() {
    const bool ofAll = which_->current() == 1 && !all_.empty();
    std::vector<cluster::Check> checks = ofAll ? all_ : entry_.checks;
    if (!ofAll && entry_.state == NodeState::NotReached) {
        checks = {cluster::notReached(entry_.error)};
    }
    showCounts(checks);
    if (checks.empty()) {
        checks_->setWord(
            entry_.state == NodeState::Checking ? tr("Checking …") : tr("Not checked yet"),
            entry_.node.seat
                ? tr("A check takes a Slurm job with all nodes. It asks them a few questions and "
                     "changes nothing on them.")
                : tr("A check asks the node a few questions and changes nothing on it."));
    } else {
        checks_->setChecks(checks, between_);
    }
}

void ChecksPanel::showCounts(const std::vector<cluster::Check>& checks) {
    emptyLayout(counts_);
    const auto addCount = [&](cluster::Verdict verdict, const QString& text, const char* state) {
        const auto count = std::ranges::count(checks, verdict, &cluster::Check::verdict) +
                           std::ranges::count(between_, verdict, &cluster::Check::verdict);
        if (count > 0) {
            // Beside the choice of nodes there is room for numbers alone.
            QWidget* tag = makeStateTag(all_.empty() ? text.arg(count) : QString::number(count), state);
            tag->setToolTip(text.arg(count));
            tag->setAccessibleName(text.arg(count));
            counts_->addWidget(tag);
        }
    };
    addCount(cluster::Verdict::Failed, tr("%1 failed"), "fail");
    addCount(cluster::Verdict::Warning, tr("%1 to look at"), "warn");
    addCount(cluster::Verdict::Passed, tr("%1 passed"), "ok");
}

}  // namespace dlperf::ui
