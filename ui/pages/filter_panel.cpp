// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/filter_panel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/pages/page_parts.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/check_rows.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/topology_words.h"

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

}  // namespace

QString sourceTitle(Source source) {
    switch (source) {
        case Source::Own:
            return FilterPanel::tr("This workspace");
        case Source::Imported:
            return FilterPanel::tr("Imported logs");
        case Source::ReportV1:
            return FilterPanel::tr("Published: report v1");
        case Source::Readmes:
            return FilterPanel::tr("Published: readmes");
        case Source::OtherReports:
            return FilterPanel::tr("Published: others");
    }
    return {};
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
    connect(features_, &CheckRows::toggled, this, &FilterPanel::featureToggled);
    connect(sources_, &CheckRows::toggled, this, [this](const QString& key, bool on) {
        emit sourceToggled(static_cast<Source>(key.toInt()), on);
    });
    connect(findings_, &CheckRows::toggled, this, [this](const QString& key, bool on) {
        key == findingsKey ? emit onlyFindingsToggled(on) : emit hideSinglesToggled(on);
    });
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

// The same choices change in place, so that the keyboard's place among them stays; others are made anew, and
// the place goes to the one with the same text.
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
                         [this, text](bool on) { emit precisionToggled(text, on); }});
    }
    showChips(precisions_, std::exchange(chips, {}));
    for (const auto& [batchSize, count] : choices.batchSizes) {
        chips.push_back({batchSize > 0 ? QString::number(batchSize) : tr("unknown"),
                         filter.batchSizes.contains(batchSize),
                         [this, size = batchSize](bool on) { emit batchSizeToggled(size, on); }});
    }
    showChips(batchSizes_, std::exchange(chips, {}));
    for (const Topology& topology : choices.topologies) {
        chips.push_back(
            {QString::fromStdString(toString(topology)), !filter.hiddenTopologies.contains(topology),
             [this, topology](bool on) { emit topologyToggled(topology, on); }, topologyWords(topology)});
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
