// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/filter_panel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ui/session/plan_draft.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int railWidth = 216;
const QString findingsKey = QStringLiteral("findings");
const QString singlesKey = QStringLiteral("singles");

FlowLayout* addChips(QVBoxLayout* section) {
    auto* host = new QWidget(section->parentWidget());
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    host->setSizePolicy(policy);
    section->addWidget(host);
    return new FlowLayout(host, 6, 6);
}

template <class Value>
FilterEdit editOf(std::set<Value> ResultFilter::*values, const Value& value, bool on) {
    return [values, value, on](ResultFilter& filter) {
        if (on) {
            (filter.*values).insert(value);
        } else {
            (filter.*values).erase(value);
        }
    };
}

}  // namespace

class CheckRows final : public QWidget {
public:
    struct Row {
        QString key;
        QString title;
        bool on = false;
        QString count;
    };

    explicit CheckRows(QWidget* parent = nullptr) : QWidget(parent), column_(new QVBoxLayout(this)) {
        column_->setContentsMargins(0, 0, 0, 0);
        column_->setSpacing(4);
    }

    // The same keys change in place, so that the keyboard's place stays; others are made anew.
    void setRows(const std::vector<Row>& rows) {
        const bool same = std::ranges::equal(
            made_, rows, [](const Made& made, const Row& row) { return made.key == row.key; });
        if (!same) {
            build(rows);
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            made_[i].box->setText(rows[i].title);
            made_[i].box->setChecked(rows[i].on);
            made_[i].count->setText(rows[i].count);
        }
    }

    std::function<void(const QString& key, bool on)> toggled;

private:
    void build(const std::vector<Row>& rows) {
        for (const Made& made : made_) {
            delete made.box->parentWidget();
        }
        made_.clear();
        for (const Row& row : rows) {
            auto* host = new QWidget(this);
            QHBoxLayout* layout = makeRow(host, {});
            auto* box = new QCheckBox;
            connect(box, &QCheckBox::clicked, this, [this, key = row.key](bool on) { toggled(key, on); });
            layout->addWidget(box, 1);
            QLabel* count = makeLabel({}, "count");
            layout->addWidget(count);
            column_->addWidget(host);
            made_.push_back({row.key, box, count});
        }
    }

    struct Made {
        QString key;
        QCheckBox* box;
        QLabel* count;
    };
    QVBoxLayout* column_;
    std::vector<Made> made_;
};

QString sourceTitle(Source source) {
    const std::array<QString, 5> titles{FilterPanel::tr("This workspace"), FilterPanel::tr("Imported logs"),
                                        FilterPanel::tr("Published: report v1"),
                                        FilterPanel::tr("Published: readmes"),
                                        FilterPanel::tr("Published: others")};
    return titles.at(static_cast<std::size_t>(source));
}

FilterPanel::FilterPanel(const Vocabulary& vocabulary, QWidget* parent)
    : QFrame(parent), vocabulary_(vocabulary) {
    setProperty("kind", "sidepanel");
    setScaledWidth(this, railWidth);
    QVBoxLayout* outer = makeColumn(this, {0, 0, 1, 0});
    auto* content = new QWidget;
    column_ = makeColumn(content, {14, 8, 14, 12}, 0);
    outer->addWidget(makeScrolled(content, ScrollBars::VerticalOnly));
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Filters"), "paneltitle"));
    head->addStretch(1);
    QPushButton* clear = makeSmallButton(tr("Clear"), {}, "link");
    clear->setToolTip(tr("Back to what a first look shows"));
    connect(clear, &QPushButton::clicked, this, &FilterPanel::cleared);
    head->addWidget(clear);
    column_->addLayout(head);
    models_ = new ElidedCombo;
    models_->setAccessibleName(tr("Model"));
    models_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    models_->setMinimumContentsLength(8);
    addSection(tr("Model"))->addWidget(models_);
    connect(models_, &QComboBox::activated, this,
            [this](int index) { emit modelChosen(models_->itemData(index).toString()); });
    precisions_ = addChips(addSection(tr("Precision")));
    batchSizes_ = addChips(addSection(tr("Batch size per device")));
    topologies_ = addChips(addSection(tr("Topology")));
    features_ = new CheckRows;
    QVBoxLayout* features = addSection(tr("Features"));
    features->addWidget(features_);
    featureSection_ = features->parentWidget();
    sources_ = new CheckRows;
    addSection(tr("Source"))->addWidget(sources_);
    findings_ = new CheckRows;
    addSection(tr("Findings"))->addWidget(findings_);
    features_->toggled = [this](const QString& key, bool on) {
        emit edited(editOf(&ResultFilter::hiddenFeatures, key.toStdString(), !on));
    };
    sources_->toggled = [this](const QString& key, bool on) {
        emit sourceToggled(static_cast<Source>(key.toInt()), on);
    };
    findings_->toggled = [this](const QString& key, bool on) {
        emit edited([key, on](ResultFilter& filter) {
            (key == findingsKey ? filter.onlyFindings : filter.hideSingles) = on;
        });
    };
    column_->addStretch(1);
}

QVBoxLayout* FilterPanel::addSection(const QString& title) {
    auto* host = new QWidget(column_->parentWidget());
    QVBoxLayout* section = makeColumn(host, {0, 8, 0, 6}, 0);
    section->addWidget(makeSeparator());
    section->addSpacing(10);
    section->addWidget(makeLabel(title, "section"));
    section->addSpacing(6);
    column_->addWidget(host);
    return section;
}

// The same choices change in place; others are made anew, and the focus goes to the one with the same text.
void FilterPanel::showChips(FlowLayout* row, const std::vector<Chip>& chips) {
    row->parentWidget()->parentWidget()->setVisible(!chips.empty());  // the section
    std::vector<QToolButton*> old;
    old.reserve(static_cast<std::size_t>(row->count()));
    for (int i = 0; i < row->count(); ++i) {
        old.push_back(static_cast<QToolButton*>(row->itemAt(i)->widget()));
    }
    const bool same = std::ranges::equal(
        old, chips, [](const QToolButton* button, const Chip& chip) { return button->text() == chip.text; });
    if (same) {
        for (std::size_t i = 0; i < old.size(); ++i) {
            old[i]->setChecked(chips[i].on);
        }
        return;
    }
    const auto focused = std::ranges::find_if(old, &QWidget::hasFocus);
    const QString place = focused == old.end() ? QString() : (*focused)->text();
    emptyLayout(row);
    for (const Chip& chip : chips) {
        QToolButton* button = makeChip(chip.text, chip.on);
        button->setToolTip(chip.tip);
        connect(button, &QToolButton::clicked, this, chip.toggled);
        row->addWidget(button);
        if (!place.isEmpty() && chip.text == place) {
            button->setFocus(Qt::OtherFocusReason);
        }
    }
}

void FilterPanel::show(const ResultFilter& filter, const FilterChoices& choices) {
    showModels(filter, choices);
    std::vector<Chip> chips;
    for (const auto& [precision, count] : choices.precisions) {
        const QString text = QString::fromStdString(precision);
        chips.push_back({text.isEmpty() ? tr("unknown") : text, filter.precisions.contains(precision),
                         [this, precision = precision](bool on) {
                             emit edited(editOf(&ResultFilter::precisions, precision, on));
                         }});
    }
    showChips(precisions_, std::exchange(chips, {}));
    for (const auto& [batchSize, count] : choices.batchSizes) {
        chips.push_back({batchSize > 0 ? QString::number(batchSize) : tr("unknown"),
                         filter.batchSizes.contains(batchSize), [this, size = batchSize](bool on) {
                             emit edited(editOf(&ResultFilter::batchSizes, size, on));
                         }});
    }
    showChips(batchSizes_, std::exchange(chips, {}));
    for (const Topology& topology : choices.topologies) {
        chips.push_back({QString::fromStdString(toString(topology)),
                         !filter.hiddenTopologies.contains(topology),
                         [this, topology](bool on) {
                             emit edited(editOf(&ResultFilter::hiddenTopologies, topology, !on));
                         },
                         topologyWords(topology)});
    }
    showChips(topologies_, chips);
    showRows(filter, choices);
}

void FilterPanel::showModels(const ResultFilter& filter, const FilterChoices& choices) {
    const QSignalBlocker quiet(models_);
    models_->clear();
    for (const std::string& id : choices.models) {
        models_->addItem(QString::fromStdString(vocabulary_.title(WordKind::Model, id)),
                         QString::fromStdString(id));
    }
    models_->setCurrentIndex(models_->findData(QString::fromStdString(filter.model)));
}

void FilterPanel::showRows(const ResultFilter& filter, const FilterChoices& choices) {
    std::vector<CheckRows::Row> rows;
    rows.reserve(choices.features.size());
    for (const auto& [feature, count] : choices.features) {
        const QString title = feature.empty()
                                  ? tr("none")
                                  : QString::fromStdString(vocabulary_.title(WordKind::Feature, feature));
        rows.push_back({QString::fromStdString(feature), title, !filter.hiddenFeatures.contains(feature),
                        numberLocale().toString(static_cast<qlonglong>(count))});
    }
    featureSection_->setVisible(rows.size() > 1 || !filter.hiddenFeatures.empty());
    features_->setRows(std::exchange(rows, {}));
    for (const auto& [source, count] : choices.sources) {
        rows.push_back({QString::number(static_cast<int>(source)), sourceTitle(source),
                        filter.sources.contains(source),
                        numberLocale().toString(static_cast<qlonglong>(count))});
    }
    sources_->parentWidget()->setVisible(!rows.empty());
    sources_->setRows(std::exchange(rows, {}));
    findings_->setRows({{findingsKey, tr("Only with a finding"), filter.onlyFindings, {}},
                        {singlesKey, tr("Hide single runs"), filter.hideSingles, {}}});
}

}  // namespace dlperf::ui
