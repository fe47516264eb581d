// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/filter_panel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/run/campaign_names.h"
#include "ui/session/plan_draft.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int railWidth = 216;
constexpr int widestTitle = 150;  // px at 100 %
const QString findingsKey = QStringLiteral("findings");
const QString singlesKey = QStringLiteral("singles");

template <class Value>
FilterEdit editOf(std::set<Value> report::ResultFilter::*values, const Value& value, bool on) {
    return [values, value, on](report::ResultFilter& filter) {
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

    explicit CheckRows(QWidget* parent = nullptr) : QWidget(parent), column_(makeColumn(this, {}, 4)) {}

    // The same keys change in place, so that the keyboard's place stays; others are made anew.
    void setRows(const std::vector<Row>& rows) {
        const bool same = std::ranges::equal(
            made_, rows, [](const Made& made, const Row& row) { return made.key == row.key; });
        if (!same) {
            build(rows);
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const QString shown =
                fontMetrics().elidedText(rows[i].title, Qt::ElideMiddle, scaled(widestTitle));
            made_[i].box->setText(shown);
            made_[i].box->setToolTip(shown == rows[i].title ? QString() : plainTip(rows[i].title));
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

QString sourceTitle(report::Source source) {
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
    all_ = makeSmallButton({}, {}, "link");
    all_->setToolTip(tr("Shows them all: every precision, batch size, topology, feature and campaign"));
    connect(all_, &QPushButton::clicked, this, &FilterPanel::allAsked);
    head->addWidget(all_);
    QPushButton* clear = makeSmallButton(tr("Reset"), {}, "link");
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
    // Above all that follows from it: nothing moves under the pointer that chooses sources.
    sources_ = new CheckRows;
    addSection(tr("Source"))->addWidget(sources_);
    const auto addChips = [this](const QString& title, const auto& change) {
        auto* chips = new ChipRow(title);
        chips->hideTicks();
        addSection(title)->addWidget(chips);
        connect(chips, &ChipRow::toggled, this,
                [this, change](const QString& key, bool on) { emit edited(change(key.toStdString(), on)); });
        return chips;
    };
    precisions_ = addChips(tr("Precision"), [](const std::string& key, bool on) {
        return editOf(&report::ResultFilter::precisions, key, on);
    });
    batchSizes_ = addChips(tr("Batch size per device"), [](const std::string& key, bool on) {
        return editOf(&report::ResultFilter::batchSizes, std::stoi(key), on);
    });
    topologies_ = addChips(tr("Topology"), [](const std::string& key, bool on) {
        return editOf(&report::ResultFilter::hiddenTopologies, parseTopology(key).value_or(Topology{}), !on);
    });
    features_ = new CheckRows;
    QVBoxLayout* features = addSection(tr("Features"));
    features->addWidget(features_);
    featureSection_ = features->parentWidget();
    campaigns_ = new CheckRows;
    addSection(tr("Only from"))->addWidget(campaigns_);
    campaigns_->toggled = [this](const QString& key, bool on) {
        emit edited(editOf(&report::ResultFilter::campaigns, key.toStdString(), on));
    };
    findings_ = new CheckRows;
    addSection(tr("Findings"))->addWidget(findings_);
    features_->toggled = [this](const QString& key, bool on) {
        emit edited(editOf(&report::ResultFilter::hiddenFeatures, key.toStdString(), !on));
    };
    sources_->toggled = [this](const QString& key, bool on) {
        emit sourceToggled(static_cast<report::Source>(key.toInt()), on);
    };
    findings_->toggled = [this](const QString& key, bool on) {
        emit edited([key, on](report::ResultFilter& filter) {
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

void FilterPanel::show(const report::ResultFilter& filter, const report::FilterChoices& choices,
                       const report::CampaignNames& names) {
    showModels(filter, choices);
    all_->setVisible(choices.left > 0);
    all_->setText(tr("%1 hidden").arg(numberLocale().toString(choices.left)));
    std::vector<ChipRow::Chip> chips;
    for (const auto& [precision, count] : choices.precisions) {
        const QString text = QString::fromStdString(precision);
        chips.push_back(
            {text, text.isEmpty() ? tr("unknown") : text, filter.precisions.contains(precision), {}});
    }
    showChips(precisions_, std::exchange(chips, {}));
    for (const auto& [size, count] : choices.batchSizes) {
        const QString text = QString::number(size);
        chips.push_back({text, size > 0 ? text : tr("unknown"), filter.batchSizes.contains(size), {}});
    }
    showChips(batchSizes_, std::exchange(chips, {}));
    for (const Topology& topology : choices.topologies) {
        const QString text = QString::fromStdString(toString(topology));
        chips.push_back({text, text, !filter.hiddenTopologies.contains(topology), topologyWords(topology)});
    }
    showChips(topologies_, chips);
    showRows(filter, choices, names);
}

void FilterPanel::showChips(ChipRow* row, const std::vector<ChipRow::Chip>& chips) {
    row->parentWidget()->setVisible(!chips.empty());  // the section
    row->setChips(chips);
}

void FilterPanel::showModels(const report::ResultFilter& filter, const report::FilterChoices& choices) {
    const QSignalBlocker quiet(models_);
    models_->clear();
    if (choices.models.size() > 1) {
        models_->addItem(tr("All models"), QLatin1String(report::allModels));
    }
    for (const std::string& id : choices.models) {
        models_->addItem(
            id.empty() ? tr("unknown") : QString::fromStdString(vocabulary_.title(WordKind::Model, id)),
            QString::fromStdString(id));
    }
    models_->setCurrentIndex(models_->findData(QString::fromStdString(filter.model)));
}

void FilterPanel::showRows(const report::ResultFilter& filter, const report::FilterChoices& choices,
                           const report::CampaignNames& names) {
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
    for (const std::string& campaign : filter.campaigns) {
        const std::string name = run::campaignName(names, campaign);
        rows.push_back({QString::fromStdString(campaign), QString::fromStdString(name), true, {}});
    }
    campaigns_->parentWidget()->setVisible(!rows.empty());
    campaigns_->setRows(std::exchange(rows, {}));
    findings_->setRows({{findingsKey, tr("Only with a finding"), filter.onlyFindings, {}},
                        {singlesKey, tr("Hide single runs"), filter.hideSingles, {}}});
}

}  // namespace dlperf::ui
