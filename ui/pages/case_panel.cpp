// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/case_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/tips.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int caseRowHeight = 22;

bool differs(const std::vector<launch::NodeLaunch>& nodes, const std::string& name,
             const std::string& value) {
    return std::ranges::any_of(nodes, [&](const launch::NodeLaunch& node) {
        const auto found = node.environment.find(name);
        return found == node.environment.end() || found->second != value;
    });
}

class BashHighlighter final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override {
        static const QRegularExpression words(
            QStringLiteral("\\b(set|exec|export|if|then|else|elif|fi|for|do|done|while|case|esac|in|local|"
                           "readonly|exit|cd|source)\\b"));
        static const QRegularExpression strings(QStringLiteral("\"[^\"]*\"|'[^']*'"));
        static const QRegularExpression variables(QStringLiteral("\\$\\{[^}]*\\}|\\$[A-Za-z_][A-Za-z0-9_]*"));
        static const QRegularExpression comment(QStringLiteral("(^|\\s)#.*$"));
        const auto paint = [&](const QRegularExpression& pattern, const QColor& color) {
            auto matches = pattern.globalMatch(text);
            while (matches.hasNext()) {
                const auto match = matches.next();
                setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                          color);
            }
        };
        const Theme& theme = currentTheme();
        paint(words, theme.link);
        paint(strings, theme.ok.text);
        paint(variables, theme.dark ? QColor("#C9A0DC") : QColor("#7B1FA2"));
        paint(comment, theme.text3);
    }
};

}  // namespace

CasePanel::CasePanel(QWidget* parent) : Panel(parent) {
    addHeader(tr("What runs"));
    QHBoxLayout* row = makeRow(nullptr, {12, 8, 12, 6});
    row->addWidget(makeLabel(tr("Environment"), "strong"));
    row->addStretch(1);
    nodes_ = new Segments(tr("Node"));
    row->addWidget(nodes_);
    body()->addLayout(row);
    environment_ = new QTableWidget(0, 2);
    setUpRowTable(environment_, tr("Environment"), caseRowHeight);
    environment_->horizontalHeader()->hide();
    environment_->setProperty("kind", "plain");
    environment_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    body()->addWidget(environment_, 46);
    auto* head = new QFrame(this);
    head->setProperty("kind", "panelfooter");
    QHBoxLayout* title = makeRow(head, {12, 6, 12, 6});
    title->addWidget(makeLabel(QStringLiteral("launch.sh"), "strong"));
    title->addWidget(makeLabel(tr("same on every node"), "secondary"));
    title->addStretch(1);
    QPushButton* copy = makeSmallButton(tr("Copy"), QStringLiteral("copy"));
    connect(copy, &QPushButton::clicked, this, [this] { copyText(script_->toPlainText()); });
    title->addWidget(copy);
    body()->addWidget(head);
    script_ = makeCodeView(tr("Start script"));
    highlighter_ = new BashHighlighter(script_->document());
    body()->addWidget(script_, 54);
    connect(nodes_, &Segments::changed, this, &CasePanel::showNode);
}

void CasePanel::showRun(const launch::PlannedRun& run, const QString& title) {
    run_ = run;
    setTitle(tr("What runs"), title);
    QStringList names;
    for (const launch::NodeLaunch& node : run.nodes) {
        names << QString::fromStdString(node.node);
    }
    nodes_->setTexts(names, 0);
    nodes_->setVisible(names.size() > 1);
    script_->setPlainText(QString::fromStdString(run.script));
    script_->document()->setDefaultFont(monoFont());
    showNode(0);
}

void CasePanel::clear() {
    run_ = {};
    setTitle(tr("What runs"), {});
    environment_->setRowCount(0);
    script_->clear();
    nodes_->hide();
}

void CasePanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && look_ != currentLook()) {
        look_ = currentLook();
        highlighter_->rehighlight();
        showNode(std::max(nodes_->current(), 0));
    }
}

void CasePanel::showNode(int index) {
    environment_->setRowCount(0);
    if (index < 0 || static_cast<std::size_t>(index) >= run_.nodes.size()) {
        return;
    }
    const launch::NodeLaunch& node = run_.nodes[static_cast<std::size_t>(index)];
    const Theme& theme = currentTheme();
    for (const auto& [name, value] : node.environment) {
        const int row = environment_->rowCount();
        environment_->insertRow(row);
        const bool marked = differs(run_.nodes, name, value);
        const bool later = value == launch::settledAtStart;
        const QStringList texts{QString::fromStdString(name),
                                later ? tr("set when the run starts") : QString::fromStdString(value)};
        for (int column = 0; column < 2; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setFont(later && column == 1 ? textFont(size::secondary) : monoFont());
            item->setForeground(column == 0 || later ? theme.text2 : theme.text);
            item->setToolTip(plainTip(texts[column]));
            if (marked) {
                item->setBackground(theme.warn.ground);
            }
            environment_->setItem(row, column, item);
        }
    }
    environment_->resizeColumnToContents(0);
}

}  // namespace dlperf::ui
