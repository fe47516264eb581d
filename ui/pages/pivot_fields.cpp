// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/pivot_fields.h"

#include <QApplication>
#include <QComboBox>
#include <QDrag>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <vector>

#include "ui/models/pivot_model.h"
#include "ui/theme/localized.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

const QString fieldMime = QStringLiteral("application/x-dlperf-pivot-field");

QString nameOf(report::PivotField field) {
    return localized(report::titleOf(field));
}

// A field as a chip: a click opens its menu, and it can be dragged to another place.
class FieldChip final : public QPushButton {
public:
    explicit FieldChip(report::PivotField field, QWidget* parent) : QPushButton(parent), field_(field) {
        setProperty("kind", "field");
        setText(nameOf(field));
        setToolTip(PivotFields::tr("Drag it to another place, or click for what else can be done"));
    }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        pressed_ = event->position().toPoint();
        QPushButton::mousePressEvent(event);
    }

    void paintEvent(QPaintEvent* event) override {
        QPushButton::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(currentTheme().text3);
        for (const int x : {16, 11}) {  // the grip
            for (const int y : {-5, 0, 5}) {
                painter.drawEllipse(QPointF(width() - x, height() / 2.0 + y), 1.2, 1.2);
            }
        }
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        const bool far =
            (event->position().toPoint() - pressed_).manhattanLength() >= QApplication::startDragDistance();
        if (!event->buttons().testFlag(Qt::LeftButton) || !far) {
            QPushButton::mouseMoveEvent(event);
            return;
        }
        setDown(false);  // its release is no click
        auto* drag = new QDrag(this);
        auto* mime = new QMimeData;
        mime->setData(fieldMime, QByteArray::number(static_cast<int>(field_)));
        drag->setMimeData(mime);
        drag->setPixmap(grab());
        drag->setHotSpot(pressed_);
        drag->exec(Qt::MoveAction);
    }

private:
    report::PivotField field_;
    QPoint pressed_;
};

}  // namespace

class FieldList final : public QWidget {
public:
    explicit FieldList(const QString& title) : title_(title) {
        setAcceptDrops(true);
        QVBoxLayout* column = makeColumn(this, {0, 0, 0, 8}, 4);
        column->addWidget(makeLabel(title, "section"));
        chips_ = makeColumn(nullptr, {}, 4);
        column->addLayout(chips_);
        add_ = makeSmallButton(PivotFields::tr("+ Add"), {}, "link");
        add_->setAccessibleName(PivotFields::tr("Add to %1").arg(title));
        add_->setMenu(new QMenu(add_));
        column->addWidget(add_, 0, Qt::AlignLeft);
    }

    [[nodiscard]] const QString& title() const { return title_; }

    // `others` may be added. The field that has the keyboard keeps it.
    void show(const std::vector<report::PivotField>& fields, const std::vector<report::PivotField>& others,
              const FieldList* sibling) {
        emptyLayoutAfterClick(chips_);
        for (std::size_t i = 0; i < fields.size(); ++i) {
            QPushButton* chip = new FieldChip(fields[i], this);
            chips_->addWidget(chip);
            chip->show();  // it may get the focus at once
            connect(chip, &QPushButton::clicked, this,
                    [this, chip, field = fields[i], at = static_cast<int>(i),
                     count = static_cast<int>(fields.size()),
                     sibling] { showMenu(*chip, field, at, count, sibling); });
        }
        add_->menu()->clear();
        for (const report::PivotField field : others) {
            add_->menu()->addAction(nameOf(field), this, [this, field] { placed(field, this, -1); });
        }
        add_->setEnabled(!others.empty());
    }

    void focusField(report::PivotField field) {
        for (int i = 0; i < chips_->count(); ++i) {
            auto* chip = static_cast<QPushButton*>(chips_->itemAt(i)->widget());
            if (chip->text() == nameOf(field)) {
                chip->setFocus(Qt::OtherFocusReason);
            }
        }
    }

    // Into this list before the place, −1: at its end; into none where it is null.
    std::function<void(report::PivotField field, const FieldList* into, int before)> placed;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override {
        if (event->mimeData()->hasFormat(fieldMime)) {
            event->acceptProposedAction();
        }
    }

    void dropEvent(QDropEvent* event) override {
        const int field = event->mimeData()->data(fieldMime).toInt();
        if (field < 0 || field >= static_cast<int>(report::pivotFields)) {
            return;
        }
        int before = 0;
        while (before < chips_->count() &&
               chips_->itemAt(before)->geometry().center().y() < event->position().y()) {
            ++before;
        }
        event->acceptProposedAction();
        // When the drag is over: its chip is made anew.
        QMetaObject::invokeMethod(
            this, [this, field, before] { placed(static_cast<report::PivotField>(field), this, before); },
            Qt::QueuedConnection);
    }

private:
    void showMenu(QPushButton& chip, report::PivotField field, int at, int count, const FieldList* sibling) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(PivotFields::tr("Move up"), this, [this, field, at] { placed(field, this, at - 1); })
            ->setEnabled(at > 0);
        menu->addAction(PivotFields::tr("Move down"), this,
                        [this, field, at] { placed(field, this, at + 2); })
            ->setEnabled(at + 1 < count);
        menu->addAction(PivotFields::tr("Move to %1").arg(sibling->title()), this,
                        [this, field, sibling] { placed(field, sibling, -1); })
            ->setEnabled(count > 1);
        menu->addAction(PivotFields::tr("Remove"), this, [this, field] { placed(field, nullptr, -1); })
            ->setEnabled(count > 1);
        menu->popup(chip.mapToGlobal(QPoint(0, chip.height())));
    }

    QString title_;
    QVBoxLayout* chips_;
    QPushButton* add_;
};

PivotFields::PivotFields(QWidget* parent) : QWidget(parent) {
    QVBoxLayout* column = makeColumn(this, {0, 0, 0, 6}, 0);
    column->addWidget(makeLabel(tr("Pivot"), "paneltitle"));
    column->addSpacing(8);
    rows_ = new FieldList(tr("Rows"));
    columns_ = new FieldList(tr("Columns"));
    addList(rows_);
    addList(columns_);
    refusal_ = new ProblemLine(this);
    refusal_->layout()->setContentsMargins(0, 0, 0, 8);
    column->addWidget(refusal_);
    const auto add = [&](const QString& title, QWidget* widget) {
        column->addWidget(makeLabel(title, "section"));
        column->addSpacing(4);
        column->addWidget(widget);
        column->addSpacing(10);
    };
    value_ = new ElidedCombo;
    value_->setAccessibleName(tr("Value"));
    value_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    value_->setMinimumContentsLength(8);
    add(tr("Value"), value_);
    shade_ = new QComboBox;
    shade_->addItems({tr("Best of each row"), tr("Best of each column"), tr("Best of all"), tr("None")});
    shade_->setAccessibleName(tr("Shade"));
    shade_->setToolTip(tr("Which cells are the darkest"));
    add(tr("Shade"), shade_);
    compared_ = new SeriesCombo(QStringLiteral("%1"), tr("nothing"));
    compared_->setAccessibleName(tr("Compared to"));
    compared_->setToolTip(tr("Differences in percent, to one column or to the best of each row"));
    add(tr("Compared to"), compared_);
    connect(value_, &QComboBox::activated, this, &PivotFields::take);
    connect(shade_, &QComboBox::activated, this, &PivotFields::take);
    connect(compared_, &SeriesCombo::changed, this, &PivotFields::take);
    showLists();
}

void PivotFields::addList(FieldList* list) {
    layout()->addWidget(list);
    list->placed = [this](report::PivotField field, const FieldList* into, int before) {
        place(field, into == nullptr ? nullptr : into == rows_ ? rows_ : columns_, before);
    };
}

void PivotFields::place(report::PivotField field, FieldList* into, int before) {
    const report::PivotLayout former = layout_;
    for (auto* fields : {&layout_.rows, &layout_.columns}) {
        const bool isHere = (fields == &layout_.rows ? rows_ : columns_) == into;
        const auto found = std::ranges::find(*fields, field);
        if (found == fields->end()) {
            continue;
        }
        if (isHere && before > static_cast<int>(found - fields->begin())) {
            --before;  // it leaves its own place
        }
        fields->erase(found);
    }
    if (into != nullptr) {
        auto& fields = into == rows_ ? layout_.rows : layout_.columns;
        const auto most = static_cast<int>(fields.size());
        fields.insert(fields.begin() + (before < 0 ? most : std::min(before, most)), field);
    }
    const bool isTable = !layout_.rows.empty() && !layout_.columns.empty();
    refusal_->showProblem(
        isTable
            ? QString()
            : tr("%1 stays: a table needs a field in its rows and one in its columns.").arg(nameOf(field)));
    if (!isTable) {
        layout_ = former;
        return;
    }
    showLists();
    if (into != nullptr) {
        into->focusField(field);
    }
    emit changed();
}

void PivotFields::showLists() {
    std::vector<report::PivotField> others;
    for (std::size_t i = 0; i < report::pivotFields; ++i) {
        const auto field = static_cast<report::PivotField>(i);
        if (std::ranges::count(layout_.rows, field) + std::ranges::count(layout_.columns, field) == 0) {
            others.push_back(field);
        }
    }
    rows_->show(layout_.rows, others, columns_);
    columns_->show(layout_.columns, others, rows_);
}

void PivotFields::show(const report::Pivot& pivot) {
    const QSignalBlocker quietValue(value_);
    const QSignalBlocker quietCompared(compared_);
    value_->clear();
    for (std::size_t i = 0; i < report::pivotValueNames.size(); ++i) {
        value_->addItem(localized(report::titleOf(static_cast<report::PivotValue>(i), pivot.unit)));
    }
    value_->setCurrentIndex(static_cast<int>(layout_.value));
    std::vector<std::pair<QString, QString>> choices{
        {QString::fromUtf8(report::bestOfRow), localized(report::bestOfRow)}};
    for (const report::PivotHeading& heading : pivot.columns) {
        choices.emplace_back(QString::fromStdString(report::headingText(heading)),
                             localizedHeading(heading, pivot.layout.columns));
    }
    compared_->setSeries(choices);
    compared_->choose(QString::fromStdString(layout_.comparedTo));
}

void PivotFields::setLayoutOfTable(const report::PivotLayout& layout) {
    layout_ = layout;
    refusal_->showProblem({});
    const QSignalBlocker quiet(shade_);
    shade_->setCurrentIndex(static_cast<int>(layout.shade));
    showLists();
}

void PivotFields::compareWith(const QString& columnHeading) {
    layout_.comparedTo = columnHeading.toStdString();
    emit changed();
}

void PivotFields::take() {
    layout_.value = static_cast<report::PivotValue>(value_->currentIndex());
    layout_.shade = static_cast<report::PivotShade>(shade_->currentIndex());
    layout_.comparedTo = compared_->chosen().toStdString();
    emit changed();
}

}  // namespace dlperf::ui
