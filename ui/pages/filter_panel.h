// SPDX-License-Identifier: Apache-2.0
// The filters of Compare.
#pragma once

#include <QFrame>
#include <QVBoxLayout>
#include <functional>
#include <vector>

#include "core/model/vocabulary.h"
#include "core/report/compare_view.h"
#include "ui/widgets/chip_row.h"

class QComboBox;
class QPushButton;

namespace dlperf::ui {

class CheckRows;

using FilterEdit = std::function<void(report::ResultFilter& filter)>;

class FilterPanel final : public QFrame {
    Q_OBJECT

public:
    explicit FilterPanel(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // What stands above the filters, in the same rail.
    void addAbove(QWidget* widget) { column_->insertWidget(0, widget); }
    void show(const report::ResultFilter& filter, const report::FilterChoices& choices,
              const report::CampaignNames& names);

signals:
    void modelChosen(const QString& id);
    void sourceToggled(dlperf::report::Source source, bool on);
    void edited(const dlperf::ui::FilterEdit& edit);  // any other choice
    void cleared();
    void allAsked();  // of the chosen model and sources

private:
    QVBoxLayout* addSection(const QString& title);
    void showModels(const report::ResultFilter& filter, const report::FilterChoices& choices);
    void showChips(ChipRow* row, const std::vector<ChipRow::Chip>& chips);
    void showRows(const report::ResultFilter& filter, const report::FilterChoices& choices,
                  const report::CampaignNames& names);

    const Vocabulary& vocabulary_;
    QVBoxLayout* column_;
    QComboBox* models_;
    ChipRow* precisions_;
    ChipRow* batchSizes_;
    ChipRow* topologies_;
    QWidget* featureSection_;
    CheckRows* features_;
    CheckRows* sources_;
    QPushButton* all_;  // says how many are hidden
    CheckRows* campaigns_;
    CheckRows* findings_;
};

[[nodiscard]] QString sourceTitle(report::Source source);

}  // namespace dlperf::ui
