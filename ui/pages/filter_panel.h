// SPDX-License-Identifier: Apache-2.0
// The filters of Compare.
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "core/model/vocabulary.h"
#include "ui/models/compare_view.h"
#include "ui/widgets/chip_row.h"

class QComboBox;
class QVBoxLayout;

namespace dlperf::ui {

class CheckRows;

using FilterEdit = std::function<void(ResultFilter& filter)>;

class FilterPanel final : public QFrame {
    Q_OBJECT

public:
    explicit FilterPanel(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    void show(const ResultFilter& filter, const FilterChoices& choices);

signals:
    void modelChosen(const QString& id);
    void sourceToggled(dlperf::ui::Source source, bool on);
    void edited(const dlperf::ui::FilterEdit& edit);  // any other choice
    void cleared();

private:
    QVBoxLayout* addSection(const QString& title);
    void showModels(const ResultFilter& filter, const FilterChoices& choices);
    void showChips(ChipRow* row, const std::vector<ChipRow::Chip>& chips);
    void showRows(const ResultFilter& filter, const FilterChoices& choices);

    const Vocabulary& vocabulary_;
    QVBoxLayout* column_;
    QComboBox* models_;
    ChipRow* precisions_;
    ChipRow* batchSizes_;
    ChipRow* topologies_;
    QWidget* featureSection_;
    CheckRows* features_;
    CheckRows* sources_;
    CheckRows* findings_;
};

[[nodiscard]] QString sourceTitle(Source source);

}  // namespace dlperf::ui
