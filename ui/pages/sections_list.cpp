// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/sections_list.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "core/report/report_template.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

using report::ReportPart;

constexpr int sectionHeight = 30;  // px at 100 %
constexpr int gripWidth = 20;
constexpr int noteWidth = 56;
constexpr int partRole = Qt::UserRole;
constexpr int noteRole = Qt::UserRole + 1;

// A grip to drag by, the box, the name, and what the section is made of.
class SectionDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = currentTheme();
        painter->save();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || option.state.testFlag(QStyle::State_MouseOver)) {
            painter->fillRect(option.rect, selected ? theme.sel : theme.hover);
        }
        paintGrip(*painter, option.rect);
        painter->setPen(theme.text3);
        painter->setFont(textFont(size::caption));
        painter->drawText(option.rect.adjusted(0, 0, -scaled(12), 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(noteRole).toString());
        painter->setPen(theme.grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setRenderHint(QPainter::Antialiasing, false);
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(theme.focus, 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
        painter->restore();
        QStyledItemDelegate::paint(painter, inner(option), index);
    }

    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override {
        return QStyledItemDelegate::editorEvent(event, model, inner(option), index);
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), scaled(sectionHeight)};
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool chosen = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        const QColor ink = chosen ? currentTheme().text : currentTheme().text2;
        option->palette.setColor(QPalette::Text, ink);
        option->palette.setColor(QPalette::HighlightedText, ink);
        option->state &= ~(QStyle::State_Selected | QStyle::State_MouseOver | QStyle::State_HasFocus);
    }

private:
    // Of the box and the name, as they are painted and as they are clicked.
    static QStyleOptionViewItem inner(const QStyleOptionViewItem& option) {
        QStyleOptionViewItem part = option;
        part.rect.adjust(scaled(gripWidth), 0, -scaled(noteWidth), 0);
        return part;
    }

    static void paintGrip(QPainter& painter, const QRect& row) {
        constexpr double radius = 1;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(currentTheme().text3);
        const QPointF middle(row.left() + scaled(12), row.center().y());
        for (const int x : {-2, 2}) {
            for (const int y : {-4, 0, 4}) {
                painter.drawEllipse(middle + QPointF(x, y), radius, radius);
            }
        }
    }
};

}  // namespace

SectionsList::SectionsList(QWidget* parent) : QListWidget(parent) {
    setAccessibleName(tr("Sections"));
    setProperty("kind", "sections");
    setItemDelegate(new SectionDelegate(this));
    setDragDropMode(QAbstractItemView::InternalMove);
    setDefaultDropAction(Qt::MoveAction);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setToolTip(tr("Drag a section, or move it with Alt and the arrow keys"));
    setParts(report::templateParts());
    const auto told = [this] {
        if (!filling_) {
            emit partsChanged();
        }
    };
    connect(this, &QListWidget::itemChanged, this, told);
    connect(model(), &QAbstractItemModel::rowsMoved, this, told);
    connect(this, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { emit partPicked(partOf(*item)); });
    connect(this, &QListWidget::itemDoubleClicked, this, [this](const QListWidgetItem* item) {
        if (partOf(*item) == ReportPart::Summary) {
            emit summariesRequested();
        }
    });
}

ReportPart SectionsList::partOf(const QListWidgetItem& item) const {
    return static_cast<ReportPart>(item.data(partRole).toInt());
}

void SectionsList::setParts(const std::vector<ReportPart>& chosen) {
    struct Section {
        ReportPart part;
        QString title;
        QString note;
    };
    const std::vector<Section> sections{{ReportPart::Pivot, tr("Pivot table"), tr("table")},
                                        {ReportPart::Summary, tr("Summary"), tr("text")},
                                        {ReportPart::Charts, tr("Charts"), tr("charts")},
                                        {ReportPart::Results, tr("Results"), tr("table")},
                                        {ReportPart::Repetitions, tr("All repetitions"), tr("table")},
                                        {ReportPart::Loss, tr("Where it goes"), tr("charts")},
                                        {ReportPart::Hardware, tr("Hardware"), tr("table")},
                                        {ReportPart::Findings, tr("Findings"), tr("text")},
                                        {ReportPart::Environment, tr("Test environment"), tr("table")},
                                        {ReportPart::Method, tr("Method"), tr("text")},
                                        {ReportPart::Scripts, tr("Scripts"), tr("files")}};
    std::vector<ReportPart> order = chosen;
    for (const ReportPart part : report::usualParts()) {
        if (std::ranges::find(chosen, part) == chosen.end()) {
            order.push_back(part);
        }
    }
    filling_ = true;
    clear();
    for (const ReportPart part : order) {
        const auto section = std::ranges::find(sections, part, &Section::part);
        auto* item = new QListWidgetItem(section->title, this);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       Qt::ItemIsDragEnabled);
        item->setData(partRole, static_cast<int>(part));
        item->setData(noteRole, section->note);
        item->setCheckState(std::ranges::find(chosen, part) == chosen.end() ? Qt::Unchecked : Qt::Checked);
    }
    setCurrentRow(0, QItemSelectionModel::NoUpdate);
    filling_ = false;
}

std::vector<ReportPart> SectionsList::parts() const {
    std::vector<ReportPart> chosen;
    for (int row = 0; row < count(); ++row) {
        if (item(row)->checkState() == Qt::Checked) {
            chosen.push_back(partOf(*item(row)));
        }
    }
    return chosen;
}

void SectionsList::moveCurrent(int rows) {
    const int from = currentRow();
    const int to = from + rows;
    if (from < 0 || to < 0 || to >= count()) {
        return;
    }
    // A row's destination is counted while it still stands at its old place.
    model()->moveRow({}, from, {}, rows > 0 ? to + 1 : to);
    setCurrentRow(to);
}

void SectionsList::keyPressEvent(QKeyEvent* event) {
    const bool moves = event->modifiers().testFlag(Qt::AltModifier);
    if (moves && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        moveCurrent(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    }
    if (event->key() == Qt::Key_Return && currentItem() != nullptr) {
        emit partPicked(partOf(*currentItem()));
        return;
    }
    QListWidget::keyPressEvent(event);
}

void SectionsList::contextMenuEvent(QContextMenuEvent* event) {
    if (QListWidgetItem* under = itemAt(event->pos())) {
        setCurrentItem(under);
    }
    QMenu menu(this);
    menu.addAction(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), this, [this] { moveCurrent(-1); })
        ->setEnabled(currentRow() > 0);
    menu.addAction(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), this, [this] { moveCurrent(1); })
        ->setEnabled(currentRow() + 1 < count());
    menu.addSeparator();
    menu.addAction(tr("Edit summaries …"), this, &SectionsList::summariesRequested);
    menu.addAction(tr("Usual sections and order"), this, [this] {
        setParts(report::templateParts());
        emit partsChanged();
    });
    menu.exec(event->globalPos());
}

QSize SectionsList::sizeHint() const {
    return {QListWidget::sizeHint().width(), count() * scaled(sectionHeight) + 2 * frameWidth()};
}

}  // namespace dlperf::ui
