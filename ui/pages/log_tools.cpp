// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/log_tools.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>

#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int mostSegments = 4;        // nodes beside "All nodes"; more would push the search out of the head
constexpr int roomWithoutNodes = 580;  // px that the rest takes with words, and with a search that is usable
constexpr int narrow = 760;            // px: below, switches have no words
constexpr int narrowestSearch = 90;
constexpr int stepWidth = 26;
constexpr int tightSpacing = 6;  // the fullest head of all

}  // namespace

LogTools::LogTools(QHBoxLayout* row, QWidget* panel) : QObject(panel) {
    row->setSpacing(tightSpacing);
    row->itemAt(1)->widget()->hide();  // a log has no unit
    addNodes(row);
    addSearch(row, panel);
    addLevels(row);
    addSwitches(row);
}

void LogTools::addNodes(QHBoxLayout* row) {
    few_ = new Segments;
    many_ = new QComboBox;
    many_->setProperty("size", "small");
    many_->setAccessibleName(tr("Nodes"));
    many_->hide();
    row->insertWidget(1, few_);
    row->insertWidget(2, many_);
    connect(few_, &Segments::changed, many_, &QComboBox::setCurrentIndex);  // either one may be shown
    connect(many_, &QComboBox::activated, few_, &Segments::setCurrent);
    connect(few_, &Segments::changed, this, &LogTools::nodeChosen);
    connect(many_, &QComboBox::activated, this, &LogTools::nodeChosen);
}

void LogTools::chooseAll() {
    few_->setCurrent(0);
    many_->setCurrentIndex(0);
    emit nodeChosen(0);
}

void LogTools::addSearch(QHBoxLayout* row, QWidget* panel) {
    search_ = new SearchField;
    search_->setMinimumWidth(narrowestSearch);
    QToolButton* filter = makeIconButton(QStringLiteral("filter"), tr("Show only the lines that are found"));
    filter->setCheckable(true);
    filter->setObjectName(QStringLiteral("onlyHits"));
    QToolButton* previous = makeIconButton(QStringLiteral("up"), tr("Previous hit (Shift+F3)"));
    QToolButton* next = makeIconButton(QStringLiteral("down"), tr("Next hit (F3)"));
    auto* steps = new QHBoxLayout;
    steps->setSpacing(0);
    for (QToolButton* button : {filter, previous, next}) {
        button->setFixedWidth(stepWidth);
        steps->addWidget(button);
    }
    row->insertWidget(3, search_, 1);
    row->insertLayout(4, steps);
    connect(search_, &SearchField::textChanged, this, &LogTools::queryChanged);
    connect(search_, &SearchField::patternToggled, this, &LogTools::queryChanged);
    connect(filter, &QToolButton::toggled, this, &LogTools::filterToggled);
    const auto go = [this](bool forward) { return [this, forward] { emit hitRequested(forward); }; };
    connect(search_, &SearchField::returnPressed, this, go(true));
    connect(next, &QToolButton::clicked, this, go(true));
    connect(previous, &QToolButton::clicked, this, go(false));
    connect(new QShortcut(QKeySequence(Qt::Key_F3), panel), &QShortcut::activated, this, go(true));
    connect(new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), panel), &QShortcut::activated, this,
            go(false));
}

void LogTools::addLevels(QHBoxLayout* row) {
    warnings_ = makeSmallButton({});
    errors_ = makeSmallButton({});
    warnings_->setObjectName(QStringLiteral("warnings"));
    errors_->setObjectName(QStringLiteral("errors"));
    row->insertWidget(5, warnings_);
    row->insertWidget(6, errors_);
    connect(warnings_, &QPushButton::clicked, this, [this] { emit levelRequested(log::Level::Warning); });
    connect(errors_, &QPushButton::clicked, this, [this] { emit levelRequested(log::Level::Error); });
    setCounts(0, 0);
}

void LogTools::addSwitches(QHBoxLayout* row) {
    wrap_ = new QCheckBox;
    wrap_->setAccessibleName(tr("Wrap"));
    wrap_->setObjectName(QStringLiteral("wrap"));
    wrap_->setProperty("kind", "switch");
    wrap_->setToolTip(tr("Break lines that are wider than the log"));
    follow_ = new QCheckBox;
    follow_->setProperty("kind", "switch");
    follow_->setObjectName(QStringLiteral("follow"));
    row->addWidget(wrap_);
    row->addWidget(follow_);
    connect(wrap_, &QCheckBox::toggled, this, &LogTools::wrapToggled);
    connect(follow_, &QCheckBox::toggled, this, &LogTools::followToggled);
}

void LogTools::setNodes(const QStringList& nodes) {
    texts_ = nodes;
    if (nodes.size() > 1) {
        texts_.prepend(tr("All nodes"));
    }
    few_->setTexts(texts_.size() <= mostSegments + 1 ? texts_ : QStringList(), 0);
    for (auto* button : few_->findChildren<QToolButton*>()) {
        button->setProperty("size", "small");
        restyle(button);
    }
    many_->clear();
    many_->addItems(texts_);
    arrange();
}

void LogTools::setRoom(int width) {
    room_ = width;
    arrange();
}

void LogTools::arrange() {
    const bool isChoice = texts_.size() > 1;
    const bool isFew =
        texts_.size() <= mostSegments + 1 && room_ >= roomWithoutNodes + few_->sizeHint().width();
    few_->setVisible(isChoice && isFew);
    many_->setVisible(isChoice && !isFew);
    wrap_->setText(room_ < narrow ? QString() : tr("Wrap"));
    setFollowing(following_);
}

LogQuery LogTools::query() const {
    return {search_->text(), search_->isPattern()};
}

void LogTools::showCount(QPushButton* button, const QString& iconName, std::uint64_t count,
                         const QString& words, log::Level level) {
    const Ink ink = level == log::Level::Error ? Ink::Fail : Ink::Warn;
    button->setText(numberLocale().toString(static_cast<qulonglong>(count)));
    button->setIcon(icon(iconName, count > 0 ? ink : Ink::Text3));
    button->setIconSize(QSize(17, 14));
    button->setEnabled(count > 0);
    button->setToolTip(words);
    button->setAccessibleName(words);
}

void LogTools::setCounts(std::uint64_t warnings, std::uint64_t errors) {
    showCount(warnings_, QStringLiteral("state-warn"), warnings,
              tr("%1 warnings; go to the next one").arg(warnings), log::Level::Warning);
    showCount(errors_, QStringLiteral("state-fail"), errors, tr("%1 errors; go to the next one").arg(errors),
              log::Level::Error);
}

// The switch says why it is off: scrolling up did it, End takes it up again.
void LogTools::setFollowing(bool following) {
    following_ = following;
    const QString words = following ? tr("Follow") : tr("Stopped");
    follow_->setText(room_ < narrow ? QString() : words);
    follow_->setAccessibleName(words);
    follow_->setToolTip(following ? tr("Stops when you scroll up")
                                  : tr("Scrolling up has stopped it; the key End takes it up again"));
    const QSignalBlocker quiet(follow_);
    follow_->setChecked(following);
}

}  // namespace dlperf::ui
